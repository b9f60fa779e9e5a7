import type { Side } from "./protocol.js";

/**
 * How to convert the messages of one revision to those of an adjacent one: the result of CONVERT, for one direction.
 * Plain JSON data; unions are discriminated by `kind`.
 */
export interface ConversionStep {
  readonly from: string;
  readonly to: string;
  readonly rows: readonly ConversionRow[];
  /** Conversions that several types share, or that are recursive, by name. */
  readonly functions: readonly ConversionFunction[];
}

/** One part of one message, and the side that sends the request or notification. */
export interface ConversionRow {
  readonly sender: Side;
  readonly method: string;
  readonly part: MessagePart;
  readonly kind: RowKind;
  /** How to convert the value; absent when the other revision has no counterpart. */
  readonly plan?: Plan;
  /** The remedy, for an `unsupported` row. */
  readonly instead?: string;
  readonly losses: readonly Loss[];
}

export type MessagePart = "params" | "result" | "notification";

/** The most severe action of a row. `refuse`: some of its values have no counterpart; `unsupported`: none has. */
export type RowKind = "same" | "fill" | "drop" | "substitute" | "function" | "refuse" | "unsupported";

/** Data that a row makes up, changes or leaves out. */
export interface Loss {
  readonly kind: Exclude<RowKind, "same">;
  /** `Type.member` in the notation of the overlay. */
  readonly at: string;
  readonly text: string;
}

export interface ConversionFunction {
  readonly name: string;
  readonly plan: Plan;
}

/** How to convert a value that is known to be valid for the source type. */
export type Plan =
  | { readonly kind: "same" }
  | { readonly kind: "call"; readonly name: string }
  | { readonly kind: "struct"; readonly changes: readonly MemberChange[] }
  | { readonly kind: "array"; readonly items: Plan }
  | { readonly kind: "map"; readonly values: Plan }
  /** The first case whose tests all hold; if none does, nothing changes. */
  | { readonly kind: "cases"; readonly cases: readonly { readonly when: readonly Test[]; readonly plan: Plan }[] }
  /** Replacements for strings that the other revision does not have. */
  | { readonly kind: "values"; readonly at: string; readonly values: Readonly<Record<string, string>> }
  /** Members of the new object; in strings, `{name}` inserts a member of the old one. */
  | {
      readonly kind: "substitute";
      readonly at: string;
      /** Members that are left out. */
      readonly without: readonly string[];
      readonly by: Readonly<Record<string, unknown>>;
    }
  | { readonly kind: "function"; readonly at: string; readonly name: string }
  | { readonly kind: "refuse"; readonly at: string; readonly instead: string };

export type MemberChange =
  /** `always`: the source type does not list the member, so a present value has no meaning and is replaced. */
  | {
      readonly kind: "fill";
      readonly at: string;
      readonly member: string;
      readonly value: unknown;
      readonly always: boolean;
    }
  | { readonly kind: "drop"; readonly at: string; readonly member: string }
  | { readonly kind: "convert"; readonly member: string; readonly plan: Plan }
  /** The object cannot be converted when the member is present (or absent). */
  | {
      readonly kind: "refuse";
      readonly at: string;
      readonly member: string;
      readonly present: boolean;
      readonly instead: string;
    };

/** A test that distinguishes an alternative from the others of its union. */
export type Test =
  | { readonly kind: "array" | "object" }
  | { readonly kind: "equals"; readonly member: string; readonly values: readonly (string | number | boolean)[] }
  | { readonly kind: "present"; readonly member: string };
