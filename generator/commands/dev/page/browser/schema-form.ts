import { defaultInputs, fillForm } from "../form/fill-form.js";
import { type FieldInput, type FormField, keyOf } from "../form/form-field.js";
import { planForm } from "../form/plan-form.js";
import { readForm } from "../form/read-form.js";
import { button, freshId, make } from "./dom.js";
import { FieldControl } from "./field-control.js";
import { printed } from "./json-text.js";

/** The fields for the arguments of a tool, a prompt or an answer, with a JSON editor in their place if the user wants. */
export class SchemaForm {
  readonly element = make("div");
  readonly #fields: readonly FormField[] | undefined;
  readonly #controls = new Map<string, FieldControl>();
  readonly #editor = make("textarea", { class: "code", "aria-label": "Arguments as JSON", spellcheck: "false" });
  readonly #problem = make("p", { class: "problem", role: "alert" });
  readonly #fieldPart = make("div");
  readonly #jsonPart = make("div", { hidden: true });
  readonly #switch: HTMLButtonElement;

  /** @param schema the JSON Schema of an object, or planned fields */
  constructor(schema: unknown, fields = planForm(schema)) {
    this.#fields = fields;
    this.#switch = button("Edit as JSON", () => this.#toggle());
    this.#editor.value = "{}";
    this.#jsonPart.append(this.#editor);
    for (const field of fields ?? []) this.#fieldPart.append(this.#nodeOf(field));
    if (fields?.length === 0) this.#fieldPart.append(make("p", { class: "quiet" }, "No arguments."));
    this.element.append(this.#fieldPart, this.#jsonPart, this.#problem);
    if (fields) this.#setInputs(defaultInputs(fields));
    else this.#showJson(true);
  }

  /** The button that changes between fields and JSON; undefined if there are no fields. */
  get switch(): HTMLButtonElement | undefined {
    return this.#fields ? this.#switch : undefined;
  }

  /** Reads the arguments. Shows what is wrong, and returns undefined then. */
  read(): Readonly<Record<string, unknown>> | undefined {
    if (this.#isJson) return this.#readJson();
    const { value, problems } = readForm(this.#fields ?? [], this.inputs);
    for (const [key, control] of this.#controls) control.showProblem(problems.get(key));
    const [first] = problems.keys();
    if (first === undefined) return value;
    this.#controls.get(first)?.focus();
    return undefined;
  }

  /** What the fields contain now. */
  get inputs(): ReadonlyMap<string, FieldInput> {
    return new Map([...this.#controls].map(([key, control]) => [key, control.input]));
  }

  /** Takes over what was entered into an earlier form for the same item. */
  keepInputsOf(earlier: SchemaForm): void {
    this.#editor.value = earlier.#editor.value;
    if (earlier.#isJson) this.#showJson(true);
    for (const [key, input] of earlier.inputs)
      if (input.length > 0 && typeof input === "string") this.#controls.get(key)?.setInput(input);
  }

  get #isJson(): boolean {
    return !this.#jsonPart.hidden;
  }

  #nodeOf(field: FormField): Node {
    if (field.kind !== "object") {
      const control = new FieldControl(field);
      this.#controls.set(keyOf(field), control);
      return control.element;
    }
    const hint = field.description === undefined ? undefined : make("p", { class: "hint" }, field.description);
    const legend = make("legend", {}, field.title, field.isRequired ? "" : " (optional)");
    return make("fieldset", { id: freshId() }, legend, hint, ...field.fields.map((inner) => this.#nodeOf(inner)));
  }

  #setInputs(inputs: ReadonlyMap<string, FieldInput>): void {
    for (const [key, control] of this.#controls) control.setInput(inputs.get(key) ?? "");
  }

  #toggle(): void {
    this.#problem.textContent = "";
    if (!this.#isJson) {
      this.#editor.value = printed(readForm(this.#fields ?? [], this.inputs).value);
      this.#showJson(true);
      this.#editor.focus();
      return;
    }
    const value = this.#readJson();
    if (value === undefined) return;
    const inputs = fillForm(this.#fields ?? [], value);
    if (inputs) {
      this.#setInputs(inputs);
      this.#showJson(false);
    } else this.#problem.textContent = "The fields cannot show all of this. It can be sent as JSON.";
  }

  #showJson(isJson: boolean): void {
    this.#jsonPart.hidden = !isJson;
    this.#fieldPart.hidden = isJson;
    this.#switch.textContent = isJson ? "Edit as fields" : "Edit as JSON";
  }

  #readJson(): Readonly<Record<string, unknown>> | undefined {
    this.#problem.textContent = "";
    try {
      const value: unknown = JSON.parse(this.#editor.value);
      if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
      this.#problem.textContent = "The arguments must be a JSON object.";
    } catch (error) {
      this.#problem.textContent = `This is not JSON: ${(error as Error).message}`;
    }
    this.#editor.focus();
    return undefined;
  }
}
