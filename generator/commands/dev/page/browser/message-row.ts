import type { MessageFinding, MessageRow, NoteRow, Row } from "../page-data.js";
import { make } from "./dom.js";
import { indented, milliseconds } from "./json-text.js";

/** Makes the element of a row. @param jump shows another row */
export function rowElement(row: Row, jump: (id: number) => void): HTMLLIElement {
  return row.kind === "message" ? messageElement(row, jump) : noteElement(row);
}

function messageElement(row: MessageRow, jump: (id: number) => void): HTMLLIElement {
  const { direction, type, method, subject, connection, durationMs, isOwn } = row;
  const what = make(
    "span",
    { class: "what" },
    make("span", { class: "method" }, method ?? type),
    [subject, typeNames[type]].filter((part) => part !== undefined && part !== "").join(" · "),
    make("span", { class: "connection" }, `${connection ?? ""}${isOwn ? " · by mcpwright dev" : ""}`),
  );
  const problems = problemsOf(row).length;
  const facts = make(
    "span",
    { class: "facts" },
    durationMs === undefined ? "" : milliseconds(durationMs),
    problems > 0 && make("span", { class: "flag" }, `⚠ ${problems} ${problems === 1 ? "problem" : "problems"}`),
  );
  const arrow = make(
    "span",
    { class: "arrow", role: "img", "aria-label": directionNames[direction] },
    direction === "to-server" ? "→" : "←",
  );
  const details = make("details", {}, make("summary", {}, ...leading(row), arrow, what, facts));
  details.addEventListener("toggle", () => {
    if (details.open && details.children.length === 1) details.append(moreOf(row, jump));
  });
  return make("li", { class: `${direction} ${type}` }, details);
}

const typeNames = {
  request: "",
  notification: "notification",
  result: "result",
  error: "error",
  batch: "batch",
  invalid: "not a message",
};
const directionNames = { "to-server": "to the server", "to-host": "from the server" };

/** What breaks the rules; notes only inform. */
export function problemsOf({ findings }: MessageRow): readonly MessageFinding[] {
  return findings.filter(({ severity }) => severity !== "note");
}

function moreOf(row: MessageRow, jump: (id: number) => void): HTMLElement {
  const { answers, answeredBy, findings, text, length } = row;
  const other = answers ?? answeredBy;
  const link = make(
    "button",
    { type: "button" },
    answers === undefined ? `Response ${String(other)}` : `Request ${String(other)}`,
  );
  if (other !== undefined) link.addEventListener("click", () => jump(other));
  return make(
    "div",
    { class: "more" },
    findings.length > 0 && make("ul", { class: "findings" }, ...findings.map(findingElement)),
    other !== undefined && link,
    make("pre", {}, indented(text)),
    length > text.length &&
      make("p", { class: "quiet" }, `The message has ${length} characters; this is its beginning.`),
  );
}

function findingElement({ severity, rule, path, message, link }: MessageFinding): HTMLElement {
  return make(
    "li",
    {},
    make("span", { class: `severity severity-${severity}` }, severity),
    make("code", {}, path),
    ` ${message} `,
    make("span", { class: "quiet" }, `(${rule}) `),
    link !== undefined &&
      link.startsWith("https://") &&
      make("a", { href: link, target: "_blank", rel: "noopener noreferrer" }, "specification"),
  );
}

function noteElement(row: NoteRow): HTMLLIElement {
  const { kind, text, connection } = row;
  const prefix = kind === "stdout" ? "stdout, not a message: " : "";
  const what = make(
    "span",
    { class: "what" },
    prefix + text,
    connection !== undefined && make("span", { class: "connection" }, connection),
  );
  const mark = make("span", { role: "img", "aria-label": kind }, marks[kind]);
  return make("li", { class: kind }, make("div", { class: "line" }, ...leading(row), mark, what));
}

const marks = {
  connected: "○",
  started: "↻",
  ready: "●",
  ended: "✕",
  failed: "✕",
  stderr: "›",
  stdout: "!",
  note: "·",
};

function leading({ id, at }: Row): readonly HTMLElement[] {
  const iso = new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString();
  return [make("span", { class: "number" }, String(id)), make("span", { class: "time" }, iso.slice(11, 23))];
}
