import type { ConversionFacts } from "./overlay.js";

/**
 * The protocol model of one revision: what PASSES make of a schema and its overlay, and what EMIT reads.
 * Published as `model.json`. Plain JSON data; unions are discriminated by `kind`.
 */
export interface ProtocolModel {
  /** Version of this data format. */
  readonly format: 1;
  readonly revision: string;
  /** Root of the revision's specification text; ends with a slash. */
  readonly specification: string;
  /** Constants that the schema declares, in its order. */
  readonly constants: readonly ConstantModel[];
  /** Types in the schema's order; derived ones follow the message they were taken from. */
  readonly definitions: readonly Definition[];
  readonly requests: readonly RequestModel[];
  readonly notifications: readonly NotificationModel[];
  /** Requests that travel inside results; they are no wire methods. */
  readonly inputRequests: readonly InputRequestModel[];
  readonly resultTag?: ResultTagModel;
  readonly capabilities: { readonly client: readonly CapabilityModel[]; readonly server: readonly CapabilityModel[] };
  readonly errors: readonly ErrorModel[];
  readonly limits: readonly LimitModel[];
  /** `_meta` keys that the revision defines: those with a prefix, and those that only its prose names. */
  readonly metaKeys: readonly string[];
  readonly profile: readonly ProfileValue[];
  /** Constants of `names.ts` that are called otherwise than after their method, by method. */
  readonly methodNames?: Readonly<Record<string, string>>;
  /** Inherited overlay entries that no longer match anything. */
  readonly dropped: readonly string[];
  /** What the overlay says of conversions to and from an older revision. */
  readonly conversions?: StatedConversions;
}

export interface StatedConversions {
  /** The older revision. */
  readonly neighbour: string;
  /** Entries must match; a JSON Schema has lost what some of them refer to. */
  readonly strict: boolean;
  readonly up: ConversionFacts;
  readonly down: ConversionFacts;
  /** The functions that stand in `conversions/` beside the overlay, by name: TypeScript. */
  readonly customFunctions?: Readonly<Record<string, string>>;
}

export type Side = "client" | "server";

interface Documented {
  readonly text?: string;
  readonly deprecated?: Deprecation;
}

export interface Deprecation {
  /** One or two sentences: what to use instead. */
  readonly text: string;
  readonly since?: string;
  readonly removalNotBefore?: string;
}

export interface ConstantModel extends Documented {
  readonly name: string;
  readonly value: string | number;
}

export type Definition = StructDefinition | AliasDefinition;

interface DefinitionBase extends Documented {
  readonly name: string;
  /** Where the specification describes it. */
  readonly link?: string;
  /** The message whose inline params this was; absent for declared types. */
  readonly derivedFrom?: string;
  /** The type contains itself; its predicate bounds the depth. */
  readonly recursive?: true;
}

/** An object type with all inherited members in place. */
export interface StructDefinition extends DefinitionBase {
  readonly kind: "struct";
  readonly bases: readonly string[];
  readonly members: readonly MemberModel[];
  /** Type of members not listed; absent where the schema says nothing, which also admits any. */
  readonly index?: TypeModel;
}

export interface AliasDefinition extends DefinitionBase {
  readonly kind: "alias";
  readonly type: TypeModel;
}

export interface MemberModel extends Documented {
  readonly name: string;
  readonly optional: boolean;
  readonly type: TypeModel;
  /** The type that declares it, when it is inherited. */
  readonly inheritedFrom?: string;
  /** The value that absence stands for. */
  readonly default?: string | number | boolean;
}

export type TypeModel =
  | { readonly kind: "string"; readonly format?: string }
  | { readonly kind: "number" | "integer"; readonly minimum?: number; readonly maximum?: number }
  | { readonly kind: "boolean" | "null" | "unknown" }
  /** Any JSON object. */
  | { readonly kind: "object" }
  | { readonly kind: "literal"; readonly value: string | number | boolean }
  /** Some strings; `open` admits any other string too. */
  | { readonly kind: "enum"; readonly values: readonly string[]; readonly open: boolean }
  | { readonly kind: "reference"; readonly name: string }
  | { readonly kind: "array"; readonly items: TypeModel; readonly minItems?: number; readonly maxItems?: number }
  | { readonly kind: "map"; readonly values: TypeModel }
  | { readonly kind: "struct"; readonly members: readonly MemberModel[]; readonly index?: TypeModel }
  | { readonly kind: "union"; readonly members: readonly TypeModel[]; readonly choice: UnionChoice };

/** How to tell the members of a union apart; the first of these that is possible. */
export type UnionChoice =
  /** Each alternative requires `member` with values of its own; `cases[i]` are those of alternative i. */
  | {
      readonly kind: "tag";
      readonly member: string;
      readonly cases: readonly (readonly (string | number | boolean)[])[];
    }
  /** Each alternative is of other JSON types. */
  | { readonly kind: "jsonType"; readonly cases: readonly (readonly JsonType[])[] }
  /** Each alternative (but possibly one) requires a member that no other one knows. */
  | { readonly kind: "presence"; readonly members: readonly (string | null)[] }
  /** Nothing tells them apart: the first that accepts wins. */
  | { readonly kind: "ordered" };

export type JsonType = "string" | "number" | "boolean" | "null" | "object" | "array";

interface MessageModel {
  readonly method: string;
  /** The type of the whole message. */
  readonly type: string;
  /** The type of its params; absent when the schema allows none. */
  readonly params?: string;
  readonly paramsOptional: boolean;
  /** `client.<path>` or `server.<path>` that must have been declared; null when nothing is needed or nobody has said so. */
  readonly capability: string | null;
  readonly link?: string;
  readonly deprecated?: Deprecation;
}

export interface RequestModel extends MessageModel {
  /** The side that sends it; a method that both may send has two entries. */
  readonly sender: Side;
  /** Further capabilities needed by the use of certain params. */
  readonly conditions: readonly ConditionModel[];
  readonly result: ResultModel;
  /** The result member with the items of a page. */
  readonly pages?: string;
  /** The result may be cached: it carries `ttlMs` and `cacheScope`. */
  readonly cacheable?: true;
  /** The request opens a stream that begins with this notification. */
  readonly stream?: { readonly acknowledged: string };
  /** The params member by which intermediaries route. */
  readonly routedBy?: string;
  /** What receivers take in place of required members of the result that peers are known to leave out. */
  readonly fallbacks?: readonly ResultFallbackModel[];
}

export interface ResultFallbackModel {
  readonly member: string;
  readonly value: string | number | boolean | readonly [];
  /** Also where the member is left out; otherwise only where it is null. */
  readonly ifMissing?: true;
  /** Also where it is left out and this member is not. */
  readonly ifPresent?: string;
  /** Also where it is of another type than the value, or less. */
  readonly ifMistyped?: true;
}

export interface NotificationModel extends MessageModel {
  readonly sender: Side;
}

export interface InputRequestModel extends MessageModel {
  readonly conditions: readonly ConditionModel[];
  /** The type of its answer, chosen by the method of the question. */
  readonly result: string;
}

export interface ConditionModel {
  readonly member: string;
  readonly values?: readonly string[];
  readonly capability: string;
}

export type ResultModel =
  | { readonly kind: "single"; readonly type: string }
  /** The model's `resultTag` says which it is; only the alternatives of this method. */
  | { readonly kind: "tagged"; readonly type: string; readonly alternatives: readonly string[] }
  /** `alternative` is given only when the request carries `onlyWith`, and told by the presence of `member`. */
  | {
      readonly kind: "presence";
      readonly type: string;
      readonly alternative: string;
      readonly member: string;
      readonly onlyWith: string;
    };

export interface ResultTagModel {
  readonly member: string;
  /** Tag of a method's own result, also meant when the member is absent. */
  readonly own: string;
  readonly alternatives: readonly {
    readonly value: string;
    readonly type: string;
    readonly atLeastOneOf: readonly string[];
  }[];
}

export interface CapabilityModel {
  readonly path: string;
  readonly link?: string;
}

export interface ErrorModel {
  readonly code: number;
  readonly name: string;
  /** The schema declares the constant; otherwise only the prose knows the code. */
  readonly declared: boolean;
  readonly meaning?: string;
  readonly httpStatus?: number;
  readonly link?: string;
}

export interface LimitModel {
  /** `Type.member`. */
  readonly path: string;
  readonly maxItems?: number;
  readonly maxLength?: number;
  readonly minLength?: number;
  readonly link?: string;
}

export interface ProfileValue {
  readonly field: string;
  readonly value: string | number | boolean | null;
  readonly link?: string;
}
