import type { CallToolResult, GetPromptResult, Prompt, ReadResourceResult, Tool } from "../../authoring.js";
import { findConfusable } from "./find-confusable.js";
import { findHiddenText } from "./find-hidden-text.js";
import type { HiddenText } from "./hidden-text.js";

/** A finding, with its place in the reviewed value. */
export interface ReviewFinding extends HiddenText {
  /** JSON Pointer (RFC 6901) to the string, or to the member whose name it is; empty for the value itself. */
  readonly path: string;
  /** Whether the text is the value at the path, or the name of the member there. */
  readonly place: "value" | "name";
}

/** Findings of a value. With so many, the others say nothing new. */
const maxFindings = 100;
/** As deep as messages are read. */
const maxDepth = 1_000;
/** As many as messages may have by default. */
const maxValues = 1_000_000;

/** Reviews all strings and names of a tool: description, schemas with their descriptions, enums and defaults, annotations, `_meta`. */
export function reviewTool(tool: Tool): readonly ReviewFinding[] {
  return new Review(true).run(tool);
}

/** Reviews all strings and names of a prompt. */
export function reviewPrompt(prompt: Prompt): readonly ReviewFinding[] {
  return new Review(true).run(prompt);
}

/** Reviews the instructions of a server, or another text that a server shows. */
export function reviewText(text: string): readonly ReviewFinding[] {
  return new Review(true).run(text);
}

/**
 * Reviews a result of a server: its content and structured content. Comments and padding are not found, because pages and files have
 * them; data of images and audio, and the bytes of resources, are not read.
 */
export function reviewResult(result: CallToolResult | GetPromptResult | ReadResourceResult): readonly ReviewFinding[] {
  return new Review(false).run(result);
}

/** Whether people and programs recognize an item by it: names of tools, of prompts and their arguments, and of properties in schemas. */
function isIdentifier(key: string | number | undefined, parent: string | number | undefined): boolean {
  return parent === "properties" || key === "name";
}

class Review {
  readonly #findings: ReviewFinding[] = [];
  readonly #path: (string | number)[] = [];
  #values = 0;
  #stopped = false;

  constructor(
    /** Whether people approve the value, so that comments and padding in it matter. */
    readonly approved: boolean,
  ) {}

  run(value: unknown): readonly ReviewFinding[] {
    this.#visit(value, undefined);
    return this.#findings;
  }

  #visit(value: unknown, holder: object | undefined): void {
    if (this.#stopped) return;
    if (++this.#values > maxValues) this.#stop();
    else if (typeof value === "string") this.#read(value, holder);
    else if (typeof value === "object" && value !== null) this.#enter(value);
  }

  #enter(value: object): void {
    if (this.#path.length >= maxDepth) {
      this.#add(unreviewed, "value");
      return;
    }
    const isArray = Array.isArray(value);
    for (const [key, member] of isArray ? value.entries() : Object.entries(value)) {
      if (this.#stopped) return;
      this.#path.push(key);
      if (typeof key === "string") this.#readName(key);
      this.#visit(member, value);
      this.#path.pop();
    }
  }

  #read(text: string, holder: object | undefined): void {
    const key = this.#path.at(-1);
    if (!this.approved && isData(key, holder)) return;
    const isName = this.approved && isIdentifier(key, undefined);
    for (const finding of findHiddenText(text, { markup: this.approved, isName })) this.#add(finding, "value");
    if (isName) this.#add(findConfusable(text), "value");
  }

  #readName(name: string): void {
    const isName = this.approved && isIdentifier(undefined, this.#path.at(-2));
    for (const finding of findHiddenText(name, { isName: true })) this.#add(finding, "name");
    if (isName) this.#add(findConfusable(name), "name");
  }

  #add(finding: HiddenText | undefined, place: ReviewFinding["place"]): void {
    if (!finding || this.#stopped) return;
    this.#findings.push({ ...finding, path: pointerOf(this.#path), place });
    if (this.#findings.length >= maxFindings) this.#stop();
  }

  #stop(): void {
    this.#stopped = true;
    this.#findings.push({ ...unreviewed, path: pointerOf(this.#path), place: "value" });
  }
}

const unreviewed: HiddenText = { kind: "unreviewed", index: 0, length: 0, codePoint: undefined, escaped: "" };

/** Whether a string is Base64 that no person and no model reads. */
function isData(key: string | number | undefined, holder: object | undefined): boolean {
  const { type } = (holder ?? {}) as { readonly type?: unknown };
  return key === "blob" || (key === "data" && (type === "image" || type === "audio"));
}

/** The server chooses the names, so the pointer is bounded. */
function pointerOf(path: readonly (string | number)[]): string {
  const steps = path.map((key) => `/${String(key).slice(0, 200).replace(/~/g, "~0").replace(/\//g, "~1")}`);
  return steps.length > 40 ? [...steps.slice(0, 20), "/…", ...steps.slice(-10)].join("") : steps.join("");
}
