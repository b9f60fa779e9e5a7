import type { Choice, FieldInput, FormField } from "../form/form-field.js";
import { freshId, make } from "./dom.js";

type Leaf = Exclude<FormField, { readonly kind: "object" }>;
type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement | HTMLFieldSetElement;

/** One field of a form: label, control, description and problem. */
export class FieldControl {
  readonly element: HTMLElement;
  readonly #control: Control;
  readonly #boxes: readonly HTMLInputElement[];
  readonly #problem = make("p", { class: "problem", id: freshId() });

  constructor(private readonly field: Leaf) {
    const id = freshId();
    const hint = hintOf(field);
    const hintId = freshId();
    const described = [...(hint === "" ? [] : [hintId]), this.#problem.id].join(" ");
    const attributes = { id, "aria-describedby": described, ...(field.isRequired && { "aria-required": "true" }) };
    const title = `${field.title}${field.isRequired ? "" : " (optional)"}`;
    const hintNode = hint !== "" && make("div", { class: "hint", id: hintId }, hint);
    this.#boxes = field.kind === "choices" ? field.choices.map(() => make("input", { type: "checkbox" })) : [];
    if (field.kind === "choices") {
      const labels = field.choices.map(({ label }, at) =>
        make("label", { class: "choice" }, this.#boxes[at], ` ${label}`),
      );
      this.#control = make("fieldset", attributes, make("legend", {}, title), ...labels);
      this.element = make("div", { class: "field" }, this.#control, hintNode, this.#problem);
    } else {
      this.#control = controlOf(field, attributes);
      this.element = make(
        "div",
        { class: "field" },
        make("label", { for: id }, title),
        this.#control,
        hintNode,
        this.#problem,
      );
    }
  }

  get input(): FieldInput {
    if (this.field.kind === "choices") return this.#boxes.flatMap(({ checked }, at) => (checked ? [at] : []));
    const { value } = this.#control as HTMLInputElement;
    return this.field.kind === "choice" ? (value === "" ? [] : [Number(value)]) : value;
  }

  setInput(input: FieldInput): void {
    if (this.field.kind === "choices")
      this.#boxes.forEach((box, at) => (box.checked = typeof input !== "string" && input.includes(at)));
    else (this.#control as HTMLInputElement).value = typeof input === "string" ? input : String(input[0] ?? "");
  }

  showProblem(problem: string | undefined): void {
    this.#problem.textContent = problem ?? "";
    if (problem === undefined) this.#control.removeAttribute("aria-invalid");
    else this.#control.setAttribute("aria-invalid", "true");
  }

  focus(): void {
    (this.#boxes[0] ?? this.#control).focus();
  }
}

function controlOf(field: Exclude<Leaf, { kind: "choices" }>, attributes: Record<string, string>): Control {
  switch (field.kind) {
    case "text":
      return field.isLong
        ? make("textarea", { ...attributes, rows: "1" })
        : make("input", { ...attributes, type: "text", autocomplete: "off" });
    case "number":
      return make("input", { ...attributes, type: "text", inputmode: "decimal", autocomplete: "off" });
    case "choice":
      return make("select", attributes, make("option", { value: "" }, "–"), ...field.choices.map(optionOf));
    case "json":
      return make("textarea", {
        ...attributes,
        class: "code",
        rows: "2",
        spellcheck: "false",
        placeholder: field.hint,
      });
  }
}

function optionOf({ label }: Choice, at: number): HTMLOptionElement {
  return make("option", { value: String(at) }, label);
}

/** The description, and what the value must be. */
function hintOf(field: Leaf): string {
  const facts: string[] = [];
  if (field.kind === "text" && field.hint !== undefined) facts.push(field.hint);
  if (field.kind === "number") facts.push(rangeOf(field));
  if (field.kind === "json") facts.push(`JSON: ${field.hint}`);
  return [field.description, facts.join(", ")].filter((part) => part !== undefined && part !== "").join("\n");
}

function rangeOf({ isInteger, minimum, maximum }: Leaf & { readonly kind: "number" }): string {
  const what = isInteger ? "Whole number" : "Number";
  if (minimum !== undefined && maximum !== undefined) return `${what} from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return `${what} of at least ${minimum}`;
  return maximum === undefined ? what : `${what} of at most ${maximum}`;
}
