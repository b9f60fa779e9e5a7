import type { Loss } from "../../shared/model/conversion.js";
import type { ConversionFact, ConversionFacts } from "../../shared/model/overlay.js";

/**
 * The names under which an overlay can state a member: that of the type that has it, and that of the type that declares
 * it.
 */
export type OverlayPlace = readonly string[];

export interface FoundFact {
  readonly key: string;
  readonly fact: ConversionFact;
}

/** The facts that an overlay states about one step, which of them were used, and which are missing. */
export class StatedConversionFacts {
  readonly losses = new Map<string, Loss>();
  /** Conversions that no entry states: place -> problem. */
  readonly unstated = new Map<string, string>();
  readonly #used = new Set<string>();

  constructor(private readonly facts: ConversionFacts) {}

  find(place: OverlayPlace): FoundFact | undefined {
    const key = place.find((name) => Object.hasOwn(this.facts, name));
    const fact = key === undefined ? undefined : this.facts[key];
    if (key === undefined || !fact) return undefined;
    this.#used.add(key);
    return { key, fact };
  }

  lose(kind: Loss["kind"], at: string, text: string): void {
    this.losses.set(at, { kind, at, text });
  }

  /** @returns the name to use in the overlay: that of the type that declares the member */
  need(place: OverlayPlace, problem: string): string {
    const at = place.at(-1) ?? "";
    this.unstated.set(at, problem);
    return at;
  }

  unused(): readonly string[] {
    return Object.keys(this.facts).filter((key) => !this.#used.has(key));
  }
}

export function placeInside(place: OverlayPlace, step: string): OverlayPlace {
  return place.map((name) => `${name}${step}`);
}
