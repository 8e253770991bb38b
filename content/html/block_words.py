"""The words of APIs, players and diagrams in the HTML of documents, in the languages of sites."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from content.documents.older_tags import OWN_WORDS


@dataclass(frozen=True, slots=True)
class BlockWords:
    """The words in one language; what is in braces is put in."""

    # Of operations, webhooks and schemas.
    specification: str
    kind: str
    webhook: str
    schemas: str
    names: str
    # Of methods of APIs in older files.
    path_parameters: str
    query_parameters: str
    headers: str
    form_parameters: str
    body_parameters: str
    responses: str
    required: str
    # Of players; {service} is who has the film, {host} where it comes from.
    content_from: str
    load_from: str
    host_learns: str
    # Of diagrams, and what their kinds are called.
    diagram: str
    diagram_source: str
    diagram_failed: str
    flowchart: str
    sequence_diagram: str
    class_diagram: str
    state_diagram: str
    entity_diagram: str
    user_journey: str
    gantt_chart: str
    pie_chart: str
    quadrant_chart: str
    requirement_diagram: str
    git_graph: str
    mind_map: str
    timeline: str
    chart: str
    sankey_diagram: str
    block_diagram: str
    packet_diagram: str
    kanban_board: str
    architecture_diagram: str
    radar_chart: str
    treemap: str
    # Of windows of blocks, and of what opens one.
    close: str
    cancel: str
    show: str

    @property
    def of_older_tags(self) -> Mapping[str, str]:
        """The words that tags of older files stand for."""
        return {name: str(getattr(self, name)) for name in OWN_WORDS}


TABLES: Mapping[str, BlockWords] = {
    "en": BlockWords(
        "Specification", "Kind", "Webhook", "Schemas", "Names",
        "Path parameters", "Query parameters", "Headers", "Form data parameters",
        "Body parameters", "Responses", "required",
        "Content from {service}", "Load from {service}",
        "{host} will learn your address, and that you read this site.",
        "Diagram", "Source of the diagram", "This diagram cannot be drawn; this is its source.",
        "Flowchart", "Sequence diagram", "Class diagram", "State diagram",
        "Entity relationship diagram", "User journey", "Gantt chart", "Pie chart",
        "Quadrant chart", "Requirement diagram", "Git graph", "Mind map", "Timeline", "Chart",
        "Sankey diagram", "Block diagram", "Packet diagram", "Kanban board",
        "Architecture diagram", "Radar chart", "Treemap",
        "Close", "Cancel", "Show",
    ),
    "de": BlockWords(
        "Spezifikation", "Art", "Webhook", "Schemas", "Namen",
        "Pfadparameter", "Abfrageparameter", "Header", "Formularparameter",
        "Parameter im Rumpf", "Antworten", "erforderlich",
        "Inhalt von {service}", "Von {service} laden",
        "{host} erfährt Ihre Adresse und dass Sie diese Website lesen.",
        "Diagramm", "Quelltext des Diagramms",
        "Dieses Diagramm kann nicht gezeichnet werden; dies ist sein Quelltext.",
        "Flussdiagramm", "Sequenzdiagramm", "Klassendiagramm", "Zustandsdiagramm",
        "Entity-Relationship-Diagramm", "User Journey", "Gantt-Diagramm", "Kreisdiagramm",
        "Quadrantendiagramm", "Anforderungsdiagramm", "Git-Graph", "Mindmap", "Zeitleiste",
        "Diagramm", "Sankey-Diagramm", "Blockdiagramm", "Paketdiagramm", "Kanban-Tafel",
        "Architekturdiagramm", "Netzdiagramm", "Kacheldiagramm",
        "Schließen", "Abbrechen", "Anzeigen",
    ),
    "fr": BlockWords(
        "Spécification", "Type", "Webhook", "Schémas", "Noms",
        "Paramètres de chemin", "Paramètres de requête", "En-têtes", "Paramètres de formulaire",
        "Paramètres du corps", "Réponses", "obligatoire",
        "Contenu de {service}", "Charger depuis {service}",
        "{host} connaîtra votre adresse et saura que vous lisez ce site.",
        "Diagramme", "Source du diagramme",
        "Ce diagramme ne peut pas être dessiné ; voici sa source.",
        "Organigramme", "Diagramme de séquence", "Diagramme de classes", "Diagramme d’états",
        "Diagramme entité-association", "Parcours utilisateur", "Diagramme de Gantt",
        "Diagramme circulaire", "Diagramme en quadrants", "Diagramme d’exigences", "Graphe Git",
        "Carte mentale", "Chronologie", "Graphique", "Diagramme de Sankey", "Schéma fonctionnel",
        "Diagramme de paquets", "Tableau Kanban", "Diagramme d’architecture", "Graphique radar",
        "Carte proportionnelle",
        "Fermer", "Annuler", "Afficher",
    ),
    "es": BlockWords(
        "Especificación", "Tipo", "Webhook", "Esquemas", "Nombres",
        "Parámetros de ruta", "Parámetros de consulta", "Encabezados",
        "Parámetros de formulario", "Parámetros del cuerpo", "Respuestas", "obligatorio",
        "Contenido de {service}", "Cargar desde {service}",
        "{host} conocerá su dirección y sabrá que usted lee este sitio.",
        "Diagrama", "Código del diagrama",
        "Este diagrama no se puede dibujar; este es su código.",
        "Diagrama de flujo", "Diagrama de secuencia", "Diagrama de clases",
        "Diagrama de estados", "Diagrama entidad-relación", "Recorrido del usuario",
        "Diagrama de Gantt", "Gráfico circular", "Gráfico de cuadrantes",
        "Diagrama de requisitos", "Grafo de Git", "Mapa mental", "Cronología", "Gráfico",
        "Diagrama de Sankey", "Diagrama de bloques", "Diagrama de paquetes", "Tablero Kanban",
        "Diagrama de arquitectura", "Gráfico radial", "Mapa de árbol",
        "Cerrar", "Cancelar", "Mostrar",
    ),
    "it": BlockWords(
        "Specifica", "Tipo", "Webhook", "Schemi", "Nomi",
        "Parametri del percorso", "Parametri della query", "Intestazioni",
        "Parametri del modulo", "Parametri del corpo", "Risposte", "obbligatorio",
        "Contenuto di {service}", "Carica da {service}",
        "{host} conoscerà il tuo indirizzo e saprà che leggi questo sito.",
        "Diagramma", "Sorgente del diagramma",
        "Questo diagramma non può essere disegnato; questo è il suo sorgente.",
        "Diagramma di flusso", "Diagramma di sequenza", "Diagramma delle classi",
        "Diagramma degli stati", "Diagramma entità-relazione", "Percorso dell’utente",
        "Diagramma di Gantt", "Grafico a torta", "Grafico a quadranti",
        "Diagramma dei requisiti", "Grafo Git", "Mappa mentale", "Cronologia", "Grafico",
        "Diagramma di Sankey", "Diagramma a blocchi", "Diagramma dei pacchetti",
        "Lavagna Kanban", "Diagramma dell’architettura", "Grafico radar", "Mappa ad albero",
        "Chiudi", "Annulla", "Mostra",
    ),
    "pt": BlockWords(
        "Especificação", "Tipo", "Webhook", "Esquemas", "Nomes",
        "Parâmetros de caminho", "Parâmetros de consulta", "Cabeçalhos",
        "Parâmetros de formulário", "Parâmetros do corpo", "Respostas", "obrigatório",
        "Conteúdo de {service}", "Carregar de {service}",
        "{host} saberá seu endereço e que você lê este site.",
        "Diagrama", "Código do diagrama",
        "Este diagrama não pode ser desenhado; este é o seu código.",
        "Fluxograma", "Diagrama de sequência", "Diagrama de classes", "Diagrama de estados",
        "Diagrama entidade-relacionamento", "Jornada do usuário", "Diagrama de Gantt",
        "Gráfico de pizza", "Gráfico de quadrantes", "Diagrama de requisitos", "Grafo do Git",
        "Mapa mental", "Linha do tempo", "Gráfico", "Diagrama de Sankey", "Diagrama de blocos",
        "Diagrama de pacotes", "Quadro Kanban", "Diagrama de arquitetura", "Gráfico de radar",
        "Mapa de árvore",
        "Fechar", "Cancelar", "Mostrar",
    ),
    "nl": BlockWords(
        "Specificatie", "Soort", "Webhook", "Schema’s", "Namen",
        "Padparameters", "Queryparameters", "Headers", "Formulierparameters",
        "Parameters in de body", "Antwoorden", "verplicht",
        "Inhoud van {service}", "Laden van {service}",
        "{host} komt je adres te weten, en dat je deze site leest.",
        "Diagram", "Broncode van het diagram",
        "Dit diagram kan niet worden getekend; dit is de broncode.",
        "Stroomdiagram", "Sequentiediagram", "Klassendiagram", "Toestandsdiagram",
        "Entiteit-relatiediagram", "Gebruikersreis", "Gantt-diagram", "Cirkeldiagram",
        "Kwadrantendiagram", "Vereistendiagram", "Git-graaf", "Mindmap", "Tijdlijn", "Grafiek",
        "Sankey-diagram", "Blokdiagram", "Pakketdiagram", "Kanbanbord", "Architectuurdiagram",
        "Radardiagram", "Boomkaart",
        "Sluiten", "Annuleren", "Tonen",
    ),
    "pl": BlockWords(
        "Specyfikacja", "Rodzaj", "Webhook", "Schematy", "Nazwy",
        "Parametry ścieżki", "Parametry zapytania", "Nagłówki", "Parametry formularza",
        "Parametry treści", "Odpowiedzi", "wymagane",
        "Treść z {service}", "Wczytaj z {service}",
        "{host} pozna Twój adres i dowie się, że czytasz tę witrynę.",
        "Diagram", "Źródło diagramu",
        "Tego diagramu nie można narysować; oto jego źródło.",
        "Schemat blokowy", "Diagram sekwencji", "Diagram klas", "Diagram stanów",
        "Diagram związków encji", "Ścieżka użytkownika", "Diagram Gantta", "Wykres kołowy",
        "Wykres ćwiartkowy", "Diagram wymagań", "Graf Gita", "Mapa myśli", "Oś czasu", "Wykres",
        "Diagram Sankeya", "Diagram bloków", "Diagram pakietów", "Tablica Kanban",
        "Diagram architektury", "Wykres radarowy", "Mapa drzewa",
        "Zamknij", "Anuluj", "Pokaż",
    ),
    "ru": BlockWords(
        "Спецификация", "Вид", "Вебхук", "Схемы", "Имена",
        "Параметры пути", "Параметры запроса", "Заголовки", "Параметры формы",
        "Параметры тела", "Ответы", "обязательно",
        "Материал с {service}", "Загрузить с {service}",
        "{host} узнает ваш адрес и то, что вы читаете этот сайт.",
        "Диаграмма", "Исходный текст диаграммы",
        "Эту диаграмму нельзя нарисовать; вот её исходный текст.",
        "Блок-схема", "Диаграмма последовательности", "Диаграмма классов",
        "Диаграмма состояний", "Диаграмма «сущность — связь»", "Путь пользователя",
        "Диаграмма Ганта", "Круговая диаграмма", "Квадрантная диаграмма",
        "Диаграмма требований", "Граф Git", "Ментальная карта", "Хронология", "График",
        "Диаграмма Санкея", "Диаграмма блоков", "Диаграмма пакетов", "Доска канбан",
        "Диаграмма архитектуры", "Лепестковая диаграмма", "Древовидная карта",
        "Закрыть", "Отмена", "Показать",
    ),
    "zh": BlockWords(
        "规范", "类型", "Webhook", "模式", "名称",
        "路径参数", "查询参数", "请求头", "表单参数", "请求体参数", "响应", "必填",
        "来自 {service} 的内容", "从 {service} 加载", "{host} 将获知您的地址以及您正在阅读本站。",
        "图表", "图表源码", "无法绘制此图表；以下是其源码。",
        "流程图", "时序图", "类图", "状态图", "实体关系图", "用户旅程图", "甘特图", "饼图",
        "象限图", "需求图", "Git 图", "思维导图", "时间线", "图表", "桑基图", "框图", "数据包图",
        "看板", "架构图", "雷达图", "矩形树图",
        "关闭", "取消", "显示",
    ),
    "ja": BlockWords(
        "仕様", "種類", "Webhook", "スキーマ", "名前",
        "パスパラメーター", "クエリパラメーター", "ヘッダー", "フォームパラメーター",
        "ボディパラメーター", "レスポンス", "必須",
        "{service} のコンテンツ", "{service} から読み込む",
        "{host} に、あなたのアドレスとこのサイトを閲覧していることが伝わります。",
        "図", "図のソース", "この図は描画できません。これはそのソースです。",
        "フローチャート", "シーケンス図", "クラス図", "状態遷移図", "ER 図",
        "ユーザージャーニー", "ガントチャート", "円グラフ", "象限チャート", "要求図",
        "Git グラフ", "マインドマップ", "タイムライン", "グラフ", "サンキー図", "ブロック図",
        "パケット図", "かんばんボード", "アーキテクチャ図", "レーダーチャート", "ツリーマップ",
        "閉じる", "キャンセル", "表示",
    ),
    "ko": BlockWords(
        "명세", "종류", "웹훅", "스키마", "이름",
        "경로 매개변수", "쿼리 매개변수", "헤더", "양식 매개변수", "본문 매개변수", "응답", "필수",
        "{service}의 콘텐츠", "{service}에서 불러오기",
        "{host}에서 귀하의 주소와 이 사이트를 읽는다는 사실을 알게 됩니다.",
        "다이어그램", "다이어그램 소스", "이 다이어그램을 그릴 수 없습니다. 다음은 그 소스입니다.",
        "순서도", "시퀀스 다이어그램", "클래스 다이어그램", "상태 다이어그램", "개체 관계도",
        "사용자 여정", "간트 차트", "원형 차트", "사분면 차트", "요구 사항 다이어그램",
        "Git 그래프", "마인드맵", "타임라인", "차트", "생키 다이어그램", "블록 다이어그램",
        "패킷 다이어그램", "칸반 보드", "아키텍처 다이어그램", "방사형 차트", "트리맵",
        "닫기", "취소", "표시",
    ),
    "no": BlockWords(
        "Spesifikasjon", "Type", "Webhook", "Skjemaer", "Navn",
        "Baneparametere", "Spørreparametere", "Hoder", "Skjemaparametere",
        "Parametere i kroppen", "Svar", "påkrevd",
        "Innhold fra {service}", "Last inn fra {service}",
        "{host} får vite adressen din, og at du leser dette nettstedet.",
        "Diagram", "Kilden til diagrammet",
        "Dette diagrammet kan ikke tegnes; dette er kilden.",
        "Flytskjema", "Sekvensdiagram", "Klassediagram", "Tilstandsdiagram",
        "Entitet-relasjonsdiagram", "Brukerreise", "Gantt-diagram", "Sektordiagram",
        "Kvadrantdiagram", "Kravdiagram", "Git-graf", "Tankekart", "Tidslinje", "Diagram",
        "Sankey-diagram", "Blokkdiagram", "Pakkediagram", "Kanban-tavle", "Arkitekturdiagram",
        "Radardiagram", "Trekart",
        "Lukk", "Avbryt", "Vis",
    ),
}  # fmt: skip
