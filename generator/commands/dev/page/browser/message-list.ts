import type { Row, RowsEvent } from "../page-data.js";
import { byId, make } from "./dom.js";
import { problemsOf, rowElement } from "./message-row.js";

interface Shown {
  readonly row: Row;
  readonly element: HTMLLIElement;
  /** What the filter for text looks at, in lower case. */
  readonly text: string;
}

/** The messages and events, newest last, and their filters. */
export class MessageList {
  readonly #shown = new Map<number, Shown>();
  readonly #list = byId("rows");
  readonly #empty = byId("no-rows");
  readonly #text = byId("filter-text") as HTMLInputElement;
  readonly #direction = byId("filter-direction") as HTMLSelectElement;
  readonly #connection = byId("filter-connection") as HTMLSelectElement;
  readonly #problems = byId("filter-problems") as HTMLInputElement;
  readonly #connections = new Set<string>();
  /** Whether the newest row stays in view. */
  #isFollowing = true;

  constructor() {
    const filters = byId("filters") as HTMLFormElement;
    filters.addEventListener("input", () => this.#filterAll());
    filters.addEventListener("submit", (event) => event.preventDefault());
    const list = this.#list;
    list.addEventListener("scroll", () => {
      this.#isFollowing = list.scrollHeight - list.scrollTop - list.clientHeight < 40;
    });
    new ResizeObserver(() => this.#follow()).observe(list);
  }

  /** Adds new rows, replaces changed ones, and removes those that the program has forgotten. */
  show({ oldest, rows }: RowsEvent): void {
    for (const [id, { element }] of this.#shown) {
      if (id >= oldest) break;
      element.remove();
      this.#shown.delete(id);
    }
    for (const row of rows) this.#put(row);
    this.#empty.hidden = this.#shown.size > 0;
    this.#follow();
  }

  #follow(): void {
    if (this.#isFollowing) this.#list.scrollTop = this.#list.scrollHeight;
  }

  #put(row: Row): void {
    const earlier = this.#shown.get(row.id);
    const element = rowElement(row, (id) => this.#jump(id));
    const text = JSON.stringify("method" in row ? [row.method, row.subject, row.text] : [row.text]).toLowerCase();
    const shown = { row, element, text };
    this.#shown.set(row.id, shown);
    this.#addConnection(row.connection);
    element.hidden = !this.#isWanted(shown);
    if (!earlier) return this.#list.append(element);
    const [before, after] = [earlier.element, element].map((one) => one.querySelector("details"));
    if (before?.open && after) after.open = true;
    earlier.element.replaceWith(element);
  }

  #addConnection(name: string | undefined): void {
    if (name === undefined || this.#connections.has(name)) return;
    this.#connections.add(name);
    this.#connection.append(make("option", { value: name }, name));
  }

  #isWanted({ row, text }: Shown): boolean {
    const { value: direction } = this.#direction;
    if (this.#connection.value !== "" && row.connection !== this.#connection.value) return false;
    if (direction !== "" && (row.kind !== "message" || row.direction !== direction)) return false;
    if (this.#problems.checked && !hasProblem(row)) return false;
    return text.includes(this.#text.value.trim().toLowerCase());
  }

  #filterAll(): void {
    for (const shown of this.#shown.values()) shown.element.hidden = !this.#isWanted(shown);
    this.#isFollowing = true;
    this.#follow();
  }

  /** Shows a row, even if a filter hides it. */
  #jump(id: number): void {
    const element = this.#shown.get(id)?.element;
    const details = element?.querySelector("details");
    if (!element || !details) return;
    for (const one of this.#list.querySelectorAll(".marked")) one.classList.remove("marked");
    element.classList.add("marked");
    element.hidden = false;
    details.open = true;
    element.scrollIntoView({ block: "nearest" });
    details.querySelector("summary")?.focus();
  }
}

function hasProblem(row: Row): boolean {
  if (row.kind === "message") return row.type === "error" || problemsOf(row).length > 0;
  return row.kind === "failed" || row.kind === "ended" || row.kind === "stdout";
}
