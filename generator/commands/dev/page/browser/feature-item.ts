import type { PageRequest, ProgressData } from "../page-data.js";
import type { Api } from "./api.js";
import { button, make } from "./dom.js";
import type { Feature } from "./feature.js";
import { resultView } from "./result-view.js";
import { SchemaForm } from "./schema-form.js";

/** A tool, prompt or resource of the list: its form, its button, and the last result. */
export class FeatureItem {
  readonly element = make("details", { class: "item" });
  readonly #result = make("div", { "aria-live": "polite" });
  readonly #progress = make("span", { class: "quiet" });
  readonly #form: SchemaForm;
  readonly #send: HTMLButtonElement;
  readonly #cancel: HTMLButtonElement;
  #running: { readonly id: string; readonly controller: AbortController } | undefined;

  /** @param earlier the item of the same name before the list changed; what was entered stays */
  constructor(
    readonly feature: Feature,
    private readonly api: Api,
    earlier: FeatureItem | undefined,
  ) {
    const { title, about, badges, schema, fields, action } = feature;
    this.#form = new SchemaForm(schema, fields);
    this.#send = make("button", { type: "submit", class: "main" }, action);
    this.#cancel = button("Cancel", () => this.#running?.controller.abort());
    this.#cancel.hidden = true;
    const form = make(
      "form",
      { novalidate: true },
      this.#form.element,
      make("div", { class: "actions" }, this.#send, this.#cancel, this.#form.switch, this.#progress),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#run();
    });
    form.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      form.requestSubmit();
    });
    const [line = ""] = about.split("\n", 1);
    this.element.append(
      make("summary", {}, make("b", {}, title), make("span", {}, line)),
      make(
        "div",
        { class: "body" },
        badges.length > 0 && make("div", {}, ...badges.map((badge) => make("span", { class: "badge" }, badge))),
        about.includes("\n") && make("p", {}, about),
        form,
        this.#result,
      ),
    );
    if (!earlier) return;
    this.#form.keepInputsOf(earlier.#form);
    this.#result.append(...earlier.#result.childNodes);
    this.element.open = earlier.element.open;
  }

  /** Shows progress, if it is that of the running request. */
  showProgress({ request, progress, total, message }: ProgressData): void {
    if (request !== this.#running?.id) return;
    const bar = total !== undefined && make("progress", { max: String(total), value: String(progress) });
    const of = total === undefined ? String(progress) : `${progress} of ${total}`;
    this.#progress.replaceChildren(...(bar ? [bar] : []), ` ${of}${message === undefined ? "" : `: ${message}`}`);
  }

  async #run(): Promise<void> {
    if (this.#running) return;
    const { request } = this.feature;
    const args = this.#form.read();
    if (!args) return;
    const id = crypto.randomUUID();
    const controller = new AbortController();
    this.#running = { id, controller };
    this.#send.disabled = true;
    this.#cancel.hidden = false;
    this.#progress.textContent = "Running";
    const began = performance.now();
    const { kind } = request;
    try {
      const asked: PageRequest =
        kind === "resource" ? { ...request, name: String(args["uri"]), id } : { ...request, id, arguments: args };
      const response = await this.api.request(asked, controller.signal);
      this.#result.replaceChildren(resultView(kind, response, performance.now() - began));
    } catch (error) {
      const text = controller.signal.aborted ? "Cancelled" : (error as Error).message;
      this.#result.replaceChildren(make("p", { class: "problem" }, text));
    } finally {
      this.#running = undefined;
      this.#send.disabled = false;
      this.#cancel.hidden = true;
      this.#progress.textContent = "";
    }
  }
}
