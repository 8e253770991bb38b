// Docstead documents, version 1.

export interface Document {
  object: "document";
  data: { schemaVersion: 1; style?: Record<string, unknown> };
  nodes: Array<Block>;
}

export type Block =
  | Paragraph
  | Heading1
  | Heading2
  | Heading3
  | ListOrdered
  | ListUnordered
  | ListTasks
  | Divider
  | Blockquote
  | Hint
  | Code
  | Math
  | Images
  | Drawing
  | File
  | Embed
  | Expandable
  | Tabs
  | Stepper
  | Columns
  | Updates
  | Prompt
  | Table
  | ContentRef
  | ReusableContent
  | Integration
  | Swagger
  | OpenapiOperation
  | OpenapiSchemas
  | OpenapiWebhook
  | If
  | Markdown;

export type Inline =
  | Text
  | Link
  | Emoji
  | Icon
  | Expression
  | InlineMath
  | InlineImage
  | Annotation
  | Mention
  | Button
  | InlineMarkdown;

export type Fragment =
  | CaptionFragment
  | ExpandableTitleFragment
  | ExpandableBodyFragment
  | AnnotationBodyFragment
  | TableCellFragment;

/** Everything that stands in a document. */
export type Node =
  | Block
  | Inline
  | Fragment
  | ListItem
  | CodeLine
  | Image
  | TabsItem
  | StepperStep
  | Column
  | Update;

export interface Paragraph {
  object: "block";
  type: "paragraph";
  isVoid: false;
  key?: string;
  meta?: Record<string, unknown>;
  style?: Record<string, unknown>;
  aliases?: Array<string>;
  data: { align?: "start" | "center" | "end"; attributes?: Record<string, unknown> };
  nodes: Array<Inline>;
}

export interface Heading1 {
  object: "block";
  type: "heading-1";
  isVoid: false;
  key?: string;
  meta?: Record<string, unknown>;
  style?: Record<string, unknown>;
  aliases?: Array<string>;
  data: { id?: string; align?: "start" | "center" | "end"; attributes?: Record<string, unknown> };
  nodes: Array<Inline>;
}

export interface Heading2 {
  object: "block";
  type: "heading-2";
  isVoid: false;
  key?: string;
  meta?: Record<string, unknown>;
  style?: Record<string, unknown>;
  aliases?: Array<string>;
  data: { id?: string; align?: "start" | "center" | "end"; attributes?: Record<string, unknown> };
  nodes: Array<Inline>;
}

export interface Heading3 {
  object: "block";
  type: "heading-3";
  isVoid: false;
  key?: string;
  meta?: Record<string, unknown>;
  style?: Record<string, unknown>;
  aliases?: Array<string>;
  data: { id?: string; align?: "start" | "center" | "end"; attributes?: Record<string, unknown> };
  nodes: Array<Inline>;
}

export interface ListOrdered {
  object: "block";
  type: "list-ordered";
  isVoid: false;
  key?: string;
  meta?: Record<string, unknown>;
  style?: Record<string, unknown>;
  aliases?: Array<string>;
  data: { start?: number; attributes?: Record<string, unknown> };
  nodes: Array<ListItem>;
}

export interface ListUnordered {
  object: "block";
  type: "list-unordered";
  isVoid: false;
  key?: string;
  meta?: Record<string, unknown>;
  style?: Record<string, unknown>;
  aliases?: Array<string>;
  data: { attributes?: Record<string, unknown> };
  nodes: Array<ListItem>;
}

export interface ListTasks {
  object: "block";
  type: "list-tasks";
  isVoid: false;
  key?: string;
  meta?: Record<string, unknown>;
  style?: Record<string, unknown>;
  aliases?: Array<string>;
  data: { attributes?: Record<string, unknown> };
  nodes: Array<ListItem>;
}

export interface ListItem {
  object: "block";
  type: "list-item";
  isVoid: false;
  key?: string;
  meta?: Record<string, unknown>;
  style?: Record<string, unknown>;
  aliases?: Array<string>;
  data: { checked?: boolean; attributes?: Record<string, unknown> };
  nodes: Array<Block>;
}

export interface Divider {
  object: "block";
  type: "divider";
  isVoid: true;
  key?: string;
  meta?: Record<string, unknown>;
  style?: Record<string, unknown>;
  aliases?: Array<string>;
  data: { attributes?: Record<string, unknown> };
}

export interface Blockquote {
  object: "block";
  type: "blockquote";
  isVoid: false;
  key?: string;
  meta?: Record<string, unknown>;
  style?: Record<string, unknown>;
  aliases?: Array<string>;
  data: { attributes?: Record<string, unknown> };
  nodes: Array<Block>;
}

export interface Hint {
  object: "block";
  type: "hint";
  isVoid: false;
  key?: string;
  meta?: Record<string, unknown>;
  style?: Record<string, unknown>;
  aliases?: Array<string>;
  data: { style: "info" | "warning" | "danger" | "success"; icon?: string; attributes?: Record<string, unknown> };
  nodes: Array<Block>;
}

export interface Code {
  object: "block";
  type: "code";
  isVoid: false;
  key?: string;
  meta?: Record<string, unknown>;
  style?: Record<string, unknown>;
  aliases?: Array<string>;
  data: { syntax?: string; title?: string; overflow?: string; lineNumbers?: boolean; expandable?: boolean; fullWidth?: boolean; attributes?: Record<string, unknown> };
  nodes: Array<CodeLine>;
}

export interface CodeLine {
  object: "block";
  type: "code-line";
  isVoid: false;
  key?: string;
  meta?: Record<string, unknown>;
  style?: Record<string, unknown>;
  aliases?: Array<string>;
  data: { highlighted?: boolean; attributes?: Record<string, unknown> };
  nodes: Array<Inline>;
}

export interface Math {
  object: "block";
  type: "math";
  isVoid: true;
  key?: string;
  meta?: Record<string, unknown>;
  style?: Record<string, unknown>;
  aliases?: Array<string>;
  data: { formula: string; attributes?: Record<string, unknown> };
}

export interface Images {
  object: "block";
  type: "images";
  isVoid: false;
  key?: string;
  meta?: Record<string, unknown>;
  style?: Record<string, unknown>;
  aliases?: Array<string>;
  data: { align?: "left" | "center" | "right"; withFrame?: boolean; fullWidth?: boolean; attributes?: Record<string, unknown> };
  nodes: Array<Image>;
}

export interface Image {
  object: "block";
  type: "image";
  isVoid: true;
  key?: string;
  meta?: Record<string, unknown>;
  style?: Record<string, unknown>;
  aliases?: Array<string>;
  data: { ref: ContentReference; alt?: string; width?: Length; height?: Length; refDark?: ContentReference; attributes?: Record<string, unknown> };
  fragments: Array<CaptionFragment>;
}

export interface Drawing {
  object: "block";
  type: "drawing";
  isVoid: true;
  key?: string;
  meta?: Record<string, unknown>;
  style?: Record<string, unknown>;
  aliases?: Array<string>;
  data: { ref?: ContentReference; alt?: string; width?: Length; height?: Length; refDark?: ContentReference; attributes?: Record<string, unknown> };
  fragments?: Array<CaptionFragment>;
}

export interface File {
  object: "block";
  type: "file";
  isVoid: true;
  key?: string;
  meta?: Record<string, unknown>;
  style?: Record<string, unknown>;
  aliases?: Array<string>;
  data: { ref: ContentReference; attributes?: Record<string, unknown> };
  fragments?: Array<CaptionFragment>;
}

export interface Embed {
  object: "block";
  type: "embed";
  isVoid: true;
  key?: string;
  meta?: Record<string, unknown>;
  style?: Record<string, unknown>;
  aliases?: Array<string>;
  data: { url: string; fullWidth?: boolean; attributes?: Record<string, unknown> };
  fragments?: Array<CaptionFragment>;
}

export interface Expandable {
  object: "block";
  type: "expandable";
  isVoid: true;
  key?: string;
  meta?: Record<string, unknown>;
  style?: Record<string, unknown>;
  aliases?: Array<string>;
  data: { open?: boolean; attributes?: Record<string, unknown> };
  fragments: Array<ExpandableTitleFragment | ExpandableBodyFragment>;
}

export interface Tabs {
  object: "block";
  type: "tabs";
  isVoid: false;
  key?: string;
  meta?: Record<string, unknown>;
  style?: Record<string, unknown>;
  aliases?: Array<string>;
  data: { fullWidth?: boolean; attributes?: Record<string, unknown> };
  nodes: Array<TabsItem>;
}

export interface TabsItem {
  object: "block";
  type: "tabs-item";
  isVoid: false;
  key?: string;
  meta?: Record<string, unknown>;
  style?: Record<string, unknown>;
  aliases?: Array<string>;
  data: { title?: string; icon?: string; attributes?: Record<string, unknown> };
  nodes: Array<Block>;
}

export interface Stepper {
  object: "block";
  type: "stepper";
  isVoid: false;
  key?: string;
  meta?: Record<string, unknown>;
  style?: Record<string, unknown>;
  aliases?: Array<string>;
  data: { attributes?: Record<string, unknown> };
  nodes: Array<StepperStep>;
}

export interface StepperStep {
  object: "block";
  type: "stepper-step";
  isVoid: false;
  key?: string;
  meta?: Record<string, unknown>;
  style?: Record<string, unknown>;
  aliases?: Array<string>;
  data: { title?: string; icon?: string; attributes?: Record<string, unknown> };
  nodes: Array<Block>;
}

export interface Columns {
  object: "block";
  type: "columns";
  isVoid: false;
  key?: string;
  meta?: Record<string, unknown>;
  style?: Record<string, unknown>;
  aliases?: Array<string>;
  data: { fullWidth?: boolean; attributes?: Record<string, unknown> };
  nodes: Array<Column>;
}

export interface Column {
  object: "block";
  type: "column";
  isVoid: false;
  key?: string;
  meta?: Record<string, unknown>;
  style?: Record<string, unknown>;
  aliases?: Array<string>;
  data: { width?: Length; verticalAlignment?: "top" | "middle" | "bottom"; attributes?: Record<string, unknown> };
  nodes: Array<Block>;
}

export interface Updates {
  object: "block";
  type: "updates";
  isVoid: false;
  key?: string;
  meta?: Record<string, unknown>;
  style?: Record<string, unknown>;
  aliases?: Array<string>;
  data: { format?: string; attributes?: Record<string, unknown> };
  nodes: Array<Update>;
}

export interface Update {
  object: "block";
  type: "update";
  isVoid: false;
  key?: string;
  meta?: Record<string, unknown>;
  style?: Record<string, unknown>;
  aliases?: Array<string>;
  data: { date?: string; tags?: Array<string>; attributes?: Record<string, unknown> };
  nodes: Array<Block>;
}

export interface Prompt {
  object: "block";
  type: "prompt";
  isVoid: false;
  key?: string;
  meta?: Record<string, unknown>;
  style?: Record<string, unknown>;
  aliases?: Array<string>;
  data: { description?: string; icon?: string; openInAIProviders?: boolean; defaultExpanded?: string; attributes?: Record<string, unknown> };
  nodes: Array<Block>;
}

export interface Table {
  object: "block";
  type: "table";
  isVoid: true;
  key?: string;
  meta?: Record<string, unknown>;
  style?: Record<string, unknown>;
  aliases?: Array<string>;
  data: { view: TableView; definition: Record<string, TableColumn>; records: Record<string, TableRecord>; fullWidth?: boolean; attributes?: Record<string, unknown> };
  fragments: Array<TableCellFragment>;
}

export interface ContentRef {
  object: "block";
  type: "content-ref";
  isVoid: true;
  key?: string;
  meta?: Record<string, unknown>;
  style?: Record<string, unknown>;
  aliases?: Array<string>;
  data: { ref: ContentReference; attributes?: Record<string, unknown> };
}

export interface ReusableContent {
  object: "block";
  type: "reusable-content";
  isVoid: true;
  key?: string;
  meta?: Record<string, unknown>;
  style?: Record<string, unknown>;
  aliases?: Array<string>;
  data: { ref: ContentReference; attributes?: Record<string, unknown> };
}

export interface Integration {
  object: "block";
  type: "integration";
  isVoid: true;
  key?: string;
  meta?: Record<string, unknown>;
  style?: Record<string, unknown>;
  aliases?: Array<string>;
  data: { integration: string; block: string; props: Record<string, unknown>; url?: string; fullWidth?: boolean; attributes?: Record<string, unknown> };
}

export interface Swagger {
  object: "block";
  type: "swagger";
  isVoid: true;
  key?: string;
  meta?: Record<string, unknown>;
  style?: Record<string, unknown>;
  aliases?: Array<string>;
  data: { ref: ContentReference; path?: string; method?: string; expanded?: boolean; fullWidth?: boolean; attributes?: Record<string, unknown> };
}

export interface OpenapiOperation {
  object: "block";
  type: "openapi-operation";
  isVoid: true;
  key?: string;
  meta?: Record<string, unknown>;
  style?: Record<string, unknown>;
  aliases?: Array<string>;
  data: { ref: ContentReference; path?: string; method?: string; attributes?: Record<string, unknown> };
}

export interface OpenapiSchemas {
  object: "block";
  type: "openapi-schemas";
  isVoid: true;
  key?: string;
  meta?: Record<string, unknown>;
  style?: Record<string, unknown>;
  aliases?: Array<string>;
  data: { ref: ContentReference; schemas?: Array<string>; grouped?: boolean; attributes?: Record<string, unknown> };
}

export interface OpenapiWebhook {
  object: "block";
  type: "openapi-webhook";
  isVoid: true;
  key?: string;
  meta?: Record<string, unknown>;
  style?: Record<string, unknown>;
  aliases?: Array<string>;
  data: { ref: ContentReference; name?: string; method?: string; attributes?: Record<string, unknown> };
}

export interface If {
  object: "block";
  type: "if";
  isVoid: false;
  key?: string;
  meta?: Record<string, unknown>;
  style?: Record<string, unknown>;
  aliases?: Array<string>;
  data: { expression: string; attributes?: Record<string, unknown> };
  nodes: Array<Block>;
}

export interface Markdown {
  object: "block";
  type: "markdown";
  isVoid: true;
  key?: string;
  meta?: Record<string, unknown>;
  style?: Record<string, unknown>;
  aliases?: Array<string>;
  data: { source: string; attributes?: Record<string, unknown> };
}

export interface Link {
  object: "inline";
  type: "link";
  isVoid: false;
  key?: string;
  meta?: Record<string, unknown>;
  style?: Record<string, unknown>;
  data: { ref: ContentReference; title?: string; attributes?: Record<string, unknown> };
  nodes: Array<Inline>;
}

export interface Emoji {
  object: "inline";
  type: "emoji";
  isVoid: true;
  key?: string;
  meta?: Record<string, unknown>;
  style?: Record<string, unknown>;
  data: { code: string; attributes?: Record<string, unknown> };
}

export interface Icon {
  object: "inline";
  type: "icon";
  isVoid: true;
  key?: string;
  meta?: Record<string, unknown>;
  style?: Record<string, unknown>;
  data: { icon: string; attributes?: Record<string, unknown> };
}

export interface Expression {
  object: "inline";
  type: "expression";
  isVoid: true;
  key?: string;
  meta?: Record<string, unknown>;
  style?: Record<string, unknown>;
  data: { expression: string; attributes?: Record<string, unknown> };
}

export interface InlineMath {
  object: "inline";
  type: "inline-math";
  isVoid: true;
  key?: string;
  meta?: Record<string, unknown>;
  style?: Record<string, unknown>;
  data: { formula: string; attributes?: Record<string, unknown> };
}

export interface InlineImage {
  object: "inline";
  type: "inline-image";
  isVoid: true;
  key?: string;
  meta?: Record<string, unknown>;
  style?: Record<string, unknown>;
  data: { ref: ContentReference; refDark?: ContentReference; alt?: string; caption?: string; size?: "original" | "line"; attributes?: Record<string, unknown> };
}

export interface Annotation {
  object: "inline";
  type: "annotation";
  isVoid: false;
  key?: string;
  meta?: Record<string, unknown>;
  style?: Record<string, unknown>;
  data: { label?: string; attributes?: Record<string, unknown> };
  nodes: Array<Inline>;
  fragments: Array<AnnotationBodyFragment>;
}

export interface Mention {
  object: "inline";
  type: "mention";
  isVoid: true;
  key?: string;
  meta?: Record<string, unknown>;
  style?: Record<string, unknown>;
  data: { ref: ContentReference; attributes?: Record<string, unknown> };
}

export interface Button {
  object: "inline";
  type: "button";
  isVoid: true;
  key?: string;
  meta?: Record<string, unknown>;
  style?: Record<string, unknown>;
  data: { label: string; kind: "primary" | "secondary"; icon?: string; ref?: ContentReference; action?: { action: string; query?: string }; attributes?: Record<string, unknown> };
}

export interface InlineMarkdown {
  object: "inline";
  type: "markdown";
  isVoid: true;
  key?: string;
  meta?: Record<string, unknown>;
  style?: Record<string, unknown>;
  data: { source: string; attributes?: Record<string, unknown> };
}

export interface CaptionFragment {
  object: "fragment";
  type: "caption";
  fragment: string;
  key?: string;
  nodes: Array<Block>;
}

export interface ExpandableTitleFragment {
  object: "fragment";
  type: "expandable-title";
  fragment: string;
  key?: string;
  nodes: Array<Block>;
}

export interface ExpandableBodyFragment {
  object: "fragment";
  type: "expandable-body";
  fragment: string;
  key?: string;
  nodes: Array<Block>;
}

export interface AnnotationBodyFragment {
  object: "fragment";
  type: "annotation-body";
  fragment: string;
  key?: string;
  nodes: Array<Block>;
}

export interface TableCellFragment {
  object: "fragment";
  type: "table-cell";
  fragment: string;
  key?: string;
  nodes: Array<Block>;
}

export interface Text {
  object: "text";
  key?: string;
  leaves: Array<Leaf>;
}

export interface Leaf {
  object: "leaf";
  text: string;
  marks: Array<Mark>;
}

export type Mark =
  | { object: "mark"; type: "bold"; data?: {} }
  | { object: "mark"; type: "italic"; data?: {} }
  | { object: "mark"; type: "code"; data?: {} }
  | { object: "mark"; type: "keyboard"; data?: {} }
  | { object: "mark"; type: "strikethrough"; data?: {} }
  | { object: "mark"; type: "superscript"; data?: {} }
  | { object: "mark"; type: "subscript"; data?: {} }
  | { object: "mark"; type: "color"; data: { text: "default" | "green" | "blue" | "red" | "orange" | "yellow" | "purple" | "$primary" | "$info" | "$success" | "$warning" | "$danger"; background: "default" | "green" | "blue" | "red" | "orange" | "yellow" | "purple" | "$primary" | "$info" | "$success" | "$warning" | "$danger" } };

export type ContentReference =
  | { kind: "url"; url: string }
  | { kind: "file"; file: string; space?: string }
  | { kind: "page"; page: string; space?: string }
  | { kind: "anchor"; anchor: string; page?: string; space?: string }
  | { kind: "user"; user: string }
  | { kind: "collection"; collection: string }
  | { kind: "space"; space: string }
  | { kind: "reusable-content"; reusableContent: string; space?: string }
  | { kind: "openapi"; spec: string };

export type TableView =
  | { type: "grid"; columns: Array<string>; hideHeader: boolean; columnWidths?: Record<string, number> }
  | { type: "cards"; columns: Array<string>; cardSize: "medium" | "large"; targetDefinition?: string; coverDefinition?: string; coverDefinitionDark?: string; hideColumnTitle?: boolean };

export type TableColumn =
  | { type: "text"; id: string; title: string; textAlignment?: "left" | "center" | "right"; verticalAlignment?: string }
  | { type: "number"; id: string; title: string }
  | { type: "checkbox"; id: string; title: string }
  | { type: "files"; id: string; title: string }
  | { type: "users"; id: string; title: string; multiple: boolean }
  | { type: "rating"; id: string; title: string; max: number }
  | { type: "select"; id: string; title: string; multiple: boolean; options: Array<{ value: string; label: string; color: string }> }
  | { type: "content-ref"; id: string; title: string }
  | { type: "image"; id: string; title: string };

export type Length = number | { value: number; unit: "px" | "%" | "rem" | "em" | "vw" };

export type TableCell = null | string | number | boolean | Array<string | ContentReference> | ContentReference | { ref: ContentReference | null; objectFit: string };

export type TableRecord = { orderIndex: string; values: Record<string, TableCell> };
