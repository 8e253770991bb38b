"""The words of API reference in the HTML of documents, in the languages of sites."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ApiWords:
    """The words in one language; what is in braces is put in."""

    authentication: str
    cookies: str
    body: str
    examples: str
    example: str
    # {name} of what has been taken out of use.
    deprecated: str
    # {date} after which it is gone.
    deprecated_until: str
    # Stability marks: experimental, alpha and beta stand as they are.
    optional: str
    default: str
    values: str
    fields: str
    items: str
    # {name} of a schema that stands in itself.
    see_above: str
    one_of: str
    any_of: str
    all_of: str
    read_only: str
    write_only: str
    # Of OAuth 2.0.
    scopes: str


TABLES: Mapping[str, ApiWords] = {
    "en": ApiWords(
        "Authentication", "Cookies", "Body", "Examples", "Example", "Deprecated",
        "Deprecated until {date}", "optional", "Default", "Values", "Fields", "Items",
        "{name}, as above", "One of", "Any of", "All of", "read-only", "write-only",
        "Scopes",
    ),
    "de": ApiWords(
        "Authentifizierung", "Cookies", "Rumpf", "Beispiele", "Beispiel", "Veraltet",
        "Veraltet bis {date}", "optional", "Vorgabe", "Werte", "Felder", "Elemente",
        "{name}, wie oben", "Eines von", "Mindestens eines von", "Alle von", "nur lesbar",
        "nur schreibbar",
        "Bereiche",
    ),
    "fr": ApiWords(
        "Authentification", "Cookies", "Corps", "Exemples", "Exemple", "Obsolète",
        "Obsolète, jusqu’au {date}", "facultatif", "Par défaut", "Valeurs", "Champs", "Éléments",
        "{name}, comme ci-dessus", "L’un de", "Au moins l’un de", "Tous",
        "lecture seule", "écriture seule",
        "Portées",
    ),
    "es": ApiWords(
        "Autenticación", "Cookies", "Cuerpo", "Ejemplos", "Ejemplo", "Obsoleto",
        "Obsoleto, hasta el {date}", "opcional", "Por defecto", "Valores", "Campos", "Elementos",
        "{name}, como arriba", "Uno de", "Cualquiera de", "Todos", "solo lectura",
        "solo escritura",
        "Ámbitos",
    ),
    "it": ApiWords(
        "Autenticazione", "Cookie", "Corpo", "Esempi", "Esempio", "Deprecato",
        "Deprecato, fino al {date}", "facoltativo", "Predefinito", "Valori", "Campi", "Elementi",
        "{name}, come sopra", "Uno tra", "Almeno uno tra", "Tutti", "sola lettura",
        "sola scrittura",
        "Ambiti",
    ),
    "pt": ApiWords(
        "Autenticação", "Cookies", "Corpo", "Exemplos", "Exemplo", "Obsoleto",
        "Obsoleto, até {date}", "opcional", "Padrão", "Valores", "Campos", "Itens",
        "{name}, como acima", "Um de", "Qualquer um de", "Todos", "somente leitura",
        "somente escrita",
        "Escopos",
    ),
    "nl": ApiWords(
        "Authenticatie", "Cookies", "Body", "Voorbeelden", "Voorbeeld", "Verouderd",
        "Verouderd, tot {date}", "optioneel", "Standaard", "Waarden", "Velden", "Items",
        "{name}, zoals hierboven", "Een van", "Minstens een van", "Alle", "alleen lezen",
        "alleen schrijven",
        "Scopes",
    ),
    "pl": ApiWords(
        "Uwierzytelnianie", "Ciasteczka", "Treść", "Przykłady", "Przykład", "Przestarzałe",
        "Przestarzałe, do {date}", "opcjonalne", "Domyślnie", "Wartości", "Pola", "Elementy",
        "{name}, jak wyżej", "Jedno z", "Co najmniej jedno z", "Wszystkie", "tylko do odczytu",
        "tylko do zapisu",
        "Zakresy",
    ),
    "ru": ApiWords(
        "Аутентификация", "Файлы cookie", "Тело", "Примеры", "Пример", "Устарело",
        "Устарело, до {date}", "необязательно", "По умолчанию", "Значения", "Поля", "Элементы",
        "{name}, как выше", "Одно из", "Любое из", "Все", "только для чтения",
        "только для записи",
        "Области доступа",
    ),
    "zh": ApiWords(
        "身份验证", "Cookie", "请求体", "示例", "示例", "已弃用", "已弃用，至 {date}",
        "可选", "默认值", "取值", "字段", "元素", "{name}，同上",
        "其中之一", "任意一种", "全部", "只读", "只写",
        "权限范围",
    ),
    "ja": ApiWords(
        "認証", "Cookie", "本文", "例", "例", "非推奨", "非推奨（{date} まで）", "任意",
        "既定値", "値", "フィールド", "要素", "{name}（上記と同じ）", "いずれか一つ",
        "いずれか", "すべて", "読み取り専用", "書き込み専用",
        "スコープ",
    ),
    "ko": ApiWords(
        "인증", "쿠키", "본문", "예시", "예시", "사용 중단", "사용 중단 ({date}까지)", "선택",
        "기본값", "값", "필드", "항목", "{name}, 위와 같음", "다음 중 하나",
        "다음 중 하나 이상", "모두", "읽기 전용", "쓰기 전용",
        "범위",
    ),
    "no": ApiWords(
        "Autentisering", "Informasjonskapsler", "Innhold", "Eksempler", "Eksempel", "Utdatert",
        "Utdatert, til {date}", "valgfri", "Standard", "Verdier", "Felt", "Elementer",
        "{name}, som over", "En av", "Minst en av", "Alle", "bare lesing", "bare skriving",
        "Tilganger",
    ),
}  # fmt: skip
