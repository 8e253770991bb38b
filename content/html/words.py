"""The words in the HTML of documents that no author has written, in the languages of sites."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from content.html import api_words, block_words, request_words
from content.html.api_words import ApiWords
from content.html.block_words import BlockWords
from content.html.request_words import RequestWords


@dataclass(frozen=True, slots=True)
class DocumentWords:
    """The words in one language; what is in braces is put in."""

    # Names of symbols: of hints, and of tasks and checkboxes.
    info: str
    success: str
    warning: str
    danger: str
    open: str
    done: str
    # Where an author has given no title.
    details: str
    image: str
    file: str
    # {number} of a note; {given} stars of {limit}.
    back_to_reference: str
    rating: str
    blocks: BlockWords = block_words.TABLES["en"]
    api: ApiWords = api_words.TABLES["en"]
    requests: RequestWords = request_words.TABLES["en"]


ENGLISH = DocumentWords(
    "Info", "Success", "Warning", "Danger", "Open", "Done", "Details", "Image", "File",
    "Back to reference {number}", "{given} of {limit}",
)  # fmt: skip
_TABLES: Mapping[str, DocumentWords] = {
    "en": ENGLISH,
    "de": DocumentWords(
        "Information", "Erfolg", "Warnung", "Gefahr", "Offen", "Erledigt", "Einzelheiten", "Bild",
        "Datei", "Zurück zu Verweis {number}", "{given} von {limit}",
    ),
    "fr": DocumentWords(
        "Information", "Succès", "Avertissement", "Danger", "À faire", "Fait", "Détails", "Image",
        "Fichier", "Retour à la référence {number}", "{given} sur {limit}",
    ),
    "es": DocumentWords(
        "Información", "Éxito", "Advertencia", "Peligro", "Pendiente", "Hecho", "Detalles",
        "Imagen", "Archivo", "Volver a la referencia {number}", "{given} de {limit}",
    ),
    "it": DocumentWords(
        "Informazione", "Successo", "Avviso", "Pericolo", "Da fare", "Fatto", "Dettagli",
        "Immagine", "File", "Torna al riferimento {number}", "{given} su {limit}",
    ),
    "pt": DocumentWords(
        "Informação", "Sucesso", "Aviso", "Perigo", "Pendente", "Concluído", "Detalhes", "Imagem",
        "Arquivo", "Voltar à referência {number}", "{given} de {limit}",
    ),
    "nl": DocumentWords(
        "Informatie", "Gelukt", "Waarschuwing", "Gevaar", "Open", "Gedaan", "Details",
        "Afbeelding", "Bestand", "Terug naar verwijzing {number}", "{given} van {limit}",
    ),
    "pl": DocumentWords(
        "Informacja", "Sukces", "Ostrzeżenie", "Niebezpieczeństwo", "Do zrobienia", "Zrobione",
        "Szczegóły", "Obraz", "Plik", "Powrót do odnośnika {number}", "{given} z {limit}",
    ),
    "ru": DocumentWords(
        "Информация", "Успех", "Предупреждение", "Опасность", "Не сделано", "Сделано",
        "Подробности", "Изображение", "Файл", "Назад к сноске {number}", "{given} из {limit}",
    ),
    "zh": DocumentWords(
        "信息", "成功", "警告", "危险", "未完成", "已完成", "详情", "图片", "文件",
        "返回引用 {number}", "{given} / {limit}",
    ),
    "ja": DocumentWords(
        "情報", "成功", "警告", "危険", "未完了", "完了", "詳細", "画像", "ファイル",
        "参照 {number} に戻る", "{given} / {limit}",
    ),
    "ko": DocumentWords(
        "정보", "성공", "경고", "위험", "미완료", "완료", "세부 정보", "이미지", "파일",
        "참조 {number}(으)로 돌아가기", "{given} / {limit}",
    ),
    "no": DocumentWords(
        "Informasjon", "Vellykket", "Advarsel", "Fare", "Ikke gjort", "Gjort", "Detaljer",
        "Bilde", "Fil", "Tilbake til henvisning {number}", "{given} av {limit}",
    ),
}  # fmt: skip
TABLES: Mapping[str, DocumentWords] = {
    language: replace(
        words,
        blocks=block_words.TABLES[language],
        api=api_words.TABLES[language],
        requests=request_words.TABLES[language],
    )
    for language, words in _TABLES.items()
}


def document_words(language: str) -> DocumentWords:
    """The words in a language that has a table; else in English."""
    return TABLES.get(language, ENGLISH)
