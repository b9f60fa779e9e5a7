import type { Side } from "./protocol.js";

/**
 * How the messages of one revision become those of its neighbour, in one direction: what CONVERT makes of two models.
 * Plain JSON data; unions are discriminated by `kind`.
 */
export interface ConversionStep {
  readonly from: string;
  readonly to: string;
  readonly rows: readonly ConversionRow[];
  /** Conversions that several places share, or that contain themselves, by name. */
  readonly functions: readonly ConversionFunction[];
}

/** One kind of message: who sends the request or notification, and which part of it. */
export interface ConversionRow {
  readonly sender: Side;
  readonly method: string;
  readonly part: MessagePart;
  readonly kind: RowKind;
  /** What becomes of the value; absent where the other revision has nothing to convert it to. */
  readonly plan?: Plan;
  /** What to do instead, where the row is `unsupported`. */
  readonly instead?: string;
  readonly losses: readonly Loss[];
}

export type MessagePart = "params" | "result" | "notification";

/**
 * The most that happens in a row; rows with several actions name the weightiest. `refuse`: some of its values have no
 * counterpart, and `unsupported`: none has.
 */
export type RowKind = "same" | "fill" | "drop" | "substitute" | "function" | "refuse" | "unsupported";

/** What a row makes up, changes or leaves out. */
export interface Loss {
  readonly kind: Exclude<RowKind, "same">;
  /** `Type.member` as the overlay names it. */
  readonly at: string;
  readonly text: string;
}

export interface ConversionFunction {
  readonly name: string;
  readonly plan: Plan;
}

/** What to do with a value of which it is known that the older (or newer) type accepts it. */
export type Plan =
  | { readonly kind: "same" }
  | { readonly kind: "call"; readonly name: string }
  | { readonly kind: "struct"; readonly changes: readonly MemberChange[] }
  | { readonly kind: "array"; readonly items: Plan }
  | { readonly kind: "map"; readonly values: Plan }
  /** The first case whose tests all hold; without one, nothing changes. */
  | { readonly kind: "cases"; readonly cases: readonly { readonly when: readonly Test[]; readonly plan: Plan }[] }
  /** Strings that the other revision does not know. */
  | { readonly kind: "values"; readonly at: string; readonly values: Readonly<Record<string, string>> }
  /** Members of the new object; `{name}` inside a text stands for a member of the old one. */
  | {
      readonly kind: "substitute";
      readonly at: string;
      /** Members that go. */
      readonly without: readonly string[];
      readonly by: Readonly<Record<string, unknown>>;
    }
  | { readonly kind: "function"; readonly at: string; readonly name: string }
  | { readonly kind: "refuse"; readonly at: string; readonly instead: string };

export type MemberChange =
  /** `always`: the old type does not list the member, so what stands there means nothing. */
  | {
      readonly kind: "fill";
      readonly at: string;
      readonly member: string;
      readonly value: unknown;
      readonly always: boolean;
    }
  | { readonly kind: "drop"; readonly at: string; readonly member: string }
  | { readonly kind: "convert"; readonly member: string; readonly plan: Plan }
  /** The object cannot be converted when the member is there (or is not). */
  | {
      readonly kind: "refuse";
      readonly at: string;
      readonly member: string;
      readonly present: boolean;
      readonly instead: string;
    };

/** How an alternative is told from the others of its union. */
export type Test =
  | { readonly kind: "array" | "object" }
  | { readonly kind: "equals"; readonly member: string; readonly values: readonly (string | number | boolean)[] }
  | { readonly kind: "present"; readonly member: string };
