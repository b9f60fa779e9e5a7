import type { PageAnswer, QuestionData } from "../page-data.js";
import type { Api } from "./api.js";
import { button, freshId, make } from "./dom.js";
import { printed } from "./json-text.js";
import { contentView } from "./result-view.js";
import { SchemaForm } from "./schema-form.js";

type WithoutId<Answer> = Answer extends PageAnswer ? Omit<Answer, "id"> : never;

/** Shows the questions of the server until they are answered or withdrawn. */
export class Questions {
  readonly #cards = new Map<number, HTMLElement>();

  constructor(
    private readonly place: HTMLElement,
    private readonly api: Api,
  ) {}

  show(questions: readonly QuestionData[]): void {
    const open = new Set(questions.map(({ id }) => id));
    for (const [id, card] of this.#cards) {
      if (open.has(id)) continue;
      card.remove();
      this.#cards.delete(id);
    }
    for (const question of questions) {
      if (this.#cards.has(question.id)) continue;
      const card = this.#cardOf(question);
      this.#cards.set(question.id, card);
      this.place.append(card);
      card.querySelector<HTMLElement>("input, textarea, select, button")?.focus();
    }
  }

  #cardOf(question: QuestionData): HTMLElement {
    const send = (answer: WithoutId<PageAnswer>): void => {
      this.api.answer({ id: question.id, ...answer }).catch((error: unknown) => {
        problem.textContent = (error as Error).message;
      });
    };
    const problem = make("p", { class: "problem", role: "alert" });
    const decline = button("Decline", () => send({ action: "decline" }));
    const cancel = button("Dismiss", () => send({ action: "cancel" }));
    const title = freshId();
    const card = (heading: string, ...parts: readonly Node[]): HTMLElement =>
      make(
        "section",
        { class: "question", "aria-labelledby": title },
        make("h2", { id: title }, heading),
        ...parts,
        problem,
      );
    const { params, warnings = [], problem: forbidden } = question;
    const message = make("p", {}, typeof params["message"] === "string" ? params["message"] : "");
    switch (question.kind) {
      case "form": {
        const form = new SchemaForm(params["requestedSchema"]);
        const accept = make("button", { type: "submit", class: "main" }, "Send");
        return card(
          "The server asks",
          message,
          formOf(form.element, [accept, decline, cancel, form.switch], () => {
            const content = form.read();
            if (content) send({ action: "accept", content });
          }),
        );
      }
      case "url": {
        const url = String(params["url"]);
        const link =
          forbidden === undefined ? make("a", { href: url, target: "_blank", rel: "noopener noreferrer" }, url) : url;
        const accept = make(
          "button",
          { type: "submit", class: "main", disabled: forbidden !== undefined },
          "I have opened it",
        );
        const doubts = [...warnings, ...(forbidden === undefined ? [] : [forbidden])];
        return card(
          "The server asks you to open an address",
          message,
          make("p", {}, link),
          ...doubts.map((text) => make("p", { class: "problem" }, text)),
          formOf(make("div"), [accept, decline, cancel], () => send({ action: "accept" })),
        );
      }
      case "sampling": {
        const id = freshId();
        const text = make("textarea", { id, rows: "3" });
        const reply = make("button", { type: "submit", class: "main" }, "Reply");
        const refuse = button("Refuse", () => send({ action: "decline" }));
        const field = make("div", { class: "field" }, make("label", { for: id }, "Your reply as the model"), text);
        return card(
          "The server asks for the reply of a model",
          ...samplingMessages(params),
          formOf(field, [reply, refuse], () => send({ action: "reply", text: text.value })),
        );
      }
    }
  }
}

function formOf(
  content: HTMLElement,
  actions: readonly (HTMLElement | undefined)[],
  onSubmit: () => void,
): HTMLElement {
  const form = make("form", { novalidate: true }, content, make("div", { class: "actions" }, ...actions));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    onSubmit();
  });
  return form;
}

function samplingMessages({ systemPrompt, messages }: QuestionData["params"]): readonly Node[] {
  const system =
    typeof systemPrompt === "string" ? [make("p", { class: "quiet" }, "system"), make("pre", {}, systemPrompt)] : [];
  const turns = Array.isArray(messages) ? (messages as readonly { role: unknown; content: unknown }[]) : [];
  return [
    ...system,
    ...turns.flatMap(({ role, content }) => [
      make("p", { class: "quiet" }, String(role)),
      ...(Array.isArray(content) ? content : [content]).map((block: unknown) =>
        typeof block === "object" && block !== null
          ? contentView(block as Record<string, unknown>)
          : make("pre", {}, printed(block)),
      ),
    ]),
  ];
}
