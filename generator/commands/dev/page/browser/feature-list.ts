import type { ProgressData } from "../page-data.js";
import type { Api } from "./api.js";
import { make } from "./dom.js";
import type { Feature } from "./feature.js";
import { FeatureItem } from "./feature-item.js";

/** Lists of this length get a field that finds items. */
const searchableFrom = 8;

/** The list of one panel. Items that have not changed stay as they are when the list is fetched again. */
export class FeatureList {
  readonly #items = new Map<string, FeatureItem>();
  readonly #list = make("div");
  readonly #empty = make("p", { class: "quiet" });
  readonly #search: HTMLInputElement;

  constructor(
    panel: HTMLElement,
    private readonly api: Api,
    private readonly what: string,
  ) {
    this.#search = make("input", {
      type: "search",
      "aria-label": `Find ${what}`,
      placeholder: `Find ${what}`,
      hidden: true,
    });
    this.#search.addEventListener("input", () => this.#filter());
    panel.append(make("p", {}, this.#search), this.#empty, this.#list);
  }

  /** @param features undefined if the server offers none of this kind */
  show(features: readonly Feature[] | undefined): void {
    const earlier = new Map(this.#items);
    this.#items.clear();
    for (const feature of features ?? []) {
      const known = earlier.get(feature.key);
      const item = known?.feature.source === feature.source ? known : new FeatureItem(feature, this.api, known);
      this.#items.set(feature.key, item);
    }
    const elements = [...this.#items.values()].map(({ element }) => element);
    // Elements that move lose the focus.
    if (
      elements.some((element, at) => this.#list.children[at] !== element) ||
      this.#list.children.length > elements.length
    )
      this.#list.replaceChildren(...elements);
    this.#search.hidden = elements.length < searchableFrom;
    this.#empty.hidden = elements.length > 0;
    this.#empty.textContent = features
      ? `The server lists no ${this.what}.`
      : `The server does not offer ${this.what}.`;
    this.#filter();
  }

  showProgress(progress: ProgressData): void {
    for (const item of this.#items.values()) item.showProgress(progress);
  }

  #filter(): void {
    const wanted = this.#search.hidden ? "" : this.#search.value.trim().toLowerCase();
    for (const { element, feature } of this.#items.values())
      element.hidden = !`${feature.title} ${feature.about}`.toLowerCase().includes(wanted);
  }
}
