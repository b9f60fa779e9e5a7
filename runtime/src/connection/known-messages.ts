import type { Extension, ExtensionTypes, MessageTypes, Side } from "@mcpwright/protocol/contract";
import type { ClientNotifications, ClientRequests, ServerNotifications, ServerRequests } from "../authoring.js";

/** The messages of the revision whose types this package uses. */
interface AuthoringMessages {
  readonly clientRequests: ClientRequests;
  readonly clientNotifications: ClientNotifications;
  readonly serverRequests: ServerRequests;
  readonly serverNotifications: ServerNotifications;
}

/** Any revisions. As a name, because editors show it in the types of servers and clients. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- an alias would not be shown by its name
export interface AnyRevisions extends ReadonlyArray<Side> {}

/** Any extensions, or none. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- an alias would not be shown by its name
export interface AnyExtensions extends ReadonlyArray<Extension> {}

/** One kind of messages, by method. */
type Kind = keyof MessageTypes;

/** Whether a program passes revisions or extensions whose types are known. */
export type HasOwnMessages<
  Sides extends readonly Side[],
  Extensions extends readonly Extension[],
> = readonly Extension[] extends Extensions ? HasTypes<Sides[number]> : true;

/** True if one of the sides has types. */
type HasTypes<One extends Side> = true extends (One extends Side ? IsTyped<One> : never) ? true : false;

type IsTyped<One extends Side> = MessageTypes extends NonNullable<One["messages"]> ? false : true;

/**
 * The messages of the revisions and extensions that a program passes, by method. When several revisions have a method, its types are
 * those of the first one. Sides without types count as the revision whose types this package uses.
 */
export type KnownMessages<
  Name extends Kind,
  Sides extends readonly Side[],
  Extensions extends readonly Extension[],
> = readonly Extension[] extends Extensions
  ? OfRevisions<Name, Sides>
  : OfRevisions<Name, Sides> & OfExtensions<Name, Extensions>;

/** The messages of revisions. */
export type OfRevisions<Name extends Kind, Sides extends readonly Side[]> = Sides extends readonly [
  infer First extends Side,
  ...infer Rest extends readonly Side[],
]
  ? Rest extends readonly []
    ? OfSide<Name, First>
    : WithOthers<OfSide<Name, First>, OfRevisions<Name, Rest>>
  : OfSide<Name, Sides[number]>;

/** The messages that extensions define. */
type OfExtensions<
  Name extends keyof ExtensionTypes,
  Extensions extends readonly Extension[],
> = Extensions extends readonly [infer First extends Extension, ...infer Rest extends readonly Extension[]]
  ? NonNullable<First["types"]>[Name] & OfExtensions<Name, Rest>
  : object;

type OfSide<Name extends Kind, One extends Side> =
  IsTyped<One> extends true ? NonNullable<One["messages"]>[Name] : AuthoringMessages[Name];

/** Adds the messages that only the other map has. A mapped type keeps the doc comments. */
type WithOthers<Own, Others> = Own & {
  [Method in keyof Others as Method extends keyof Own ? never : Method]: Others[Method];
};

/** The results that extensions add to a method. */
export type AddedResults<Extensions extends readonly Extension[], Method> = readonly Extension[] extends Extensions
  ? never
  : OfExtensions<"alternatives", Extensions> extends infer Added
    ? Method extends keyof Added
      ? Added[Method]
      : never
    : never;

/**
 * The result of a method with result alternatives: `Result`, or where extensions add results, a union of which `resultType` selects one.
 * @typeParam Outcome the results of the method in the revision
 */
export type CallOutcome<Result, Outcome, Extensions extends readonly Extension[], Method> = [
  AddedResults<Extensions, Method>,
] extends [never]
  ? Result
  : Exclude<Outcome, { readonly resultType: "input_required" }> | AddedResults<Extensions, Method>;
