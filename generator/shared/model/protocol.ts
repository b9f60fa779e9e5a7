import type { AuthorizationFieldValue, ConversionFacts } from "./overlay.js";

/**
 * The protocol model of one revision: PASSES build it from a schema and its overlay, and EMIT reads it.
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
  /** Types in the schema's order; derived types follow the message that declares them. */
  readonly definitions: readonly Definition[];
  readonly requests: readonly RequestModel[];
  readonly notifications: readonly NotificationModel[];
  /** Requests that are embedded in results. They are not methods of their own on the wire. */
  readonly inputRequests: readonly InputRequestModel[];
  readonly resultTag?: ResultTagModel;
  readonly capabilities: { readonly client: readonly CapabilityModel[]; readonly server: readonly CapabilityModel[] };
  readonly errors: readonly ErrorModel[];
  readonly limits: readonly LimitModel[];
  /** `_meta` keys of the revision: those with a prefix in the schema, and those that the overlay adds. */
  readonly metaKeys: readonly string[];
  readonly profile: readonly ProfileValue[];
  /** How clients find an authorization server; absent when the revision does not define authorization. */
  readonly authorization?: readonly AuthorizationValue[];
  /** Names of constants in `names.ts` that are not derived from their method, by method. */
  readonly methodNames?: Readonly<Record<string, string>>;
  /** Inherited overlay entries that no longer match anything. */
  readonly dropped: readonly string[];
  /** The overlay's conversions to and from an older revision. */
  readonly conversions?: StatedConversions;
}

export interface StatedConversions {
  /** The older revision. */
  readonly neighbour: string;
  /** Whether entries must match; off for JSON Schema, which lacks some of the members that entries refer to. */
  readonly strict: boolean;
  readonly up: ConversionFacts;
  readonly down: ConversionFacts;
  /** TypeScript of the functions in `conversions/` next to the overlay, by name. */
  readonly customFunctions?: Readonly<Record<string, string>>;
}

export type Side = "client" | "server";

interface Documented {
  readonly text?: string;
  readonly deprecated?: Deprecation;
  /** Values of `x-…` keywords, by keyword. They have no effect on which values are valid. */
  readonly annotations?: Readonly<Record<string, unknown>>;
}

export interface Deprecation {
  /** The replacement, in one or two sentences. */
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
  /** The message that declares the type as inline params; absent for declared types. */
  readonly derivedFrom?: string;
  /** Whether the type contains itself; its predicate limits the depth. */
  readonly recursive?: true;
}

/** An object type with all inherited members in place. */
export interface StructDefinition extends DefinitionBase {
  readonly kind: "struct";
  readonly bases: readonly string[];
  readonly members: readonly MemberModel[];
  /** Type of members not listed. Absent: the schema does not restrict them. */
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
  /** The value that is meant when the member is absent; any JSON value. */
  readonly default?: unknown;
}

export type TypeModel =
  | ({
      readonly kind: "string";
      readonly format?: string;
      /** The texts of a template literal type, which has any string between each and the next; `pattern` checks it. */
      readonly template?: readonly string[];
    } & TextBounds)
  | ({ readonly kind: "number" | "integer" } & NumberBounds)
  | { readonly kind: "boolean" | "null" | "unknown" }
  /** No value is valid; a member of this type must be absent. */
  | { readonly kind: "never" }
  /** Any JSON object. */
  | { readonly kind: "object" }
  | { readonly kind: "literal"; readonly value: string | number | boolean }
  /** Some strings; `open`: any other string is valid too. */
  | { readonly kind: "enum"; readonly values: readonly string[]; readonly open: boolean }
  | { readonly kind: "reference"; readonly name: string }
  | {
      readonly kind: "array";
      readonly items: TypeModel;
      readonly minItems?: number;
      readonly maxItems?: number;
      readonly uniqueItems?: true;
    }
  | { readonly kind: "map"; readonly values: TypeModel }
  | { readonly kind: "struct"; readonly members: readonly MemberModel[]; readonly index?: TypeModel }
  | {
      readonly kind: "union";
      readonly members: readonly TypeModel[];
      readonly choice: UnionChoice;
      /**
       * Set when exactly one alternative must accept a value, and a value could fit several. By default any number of
       * them may.
       */
      readonly exclusive?: true;
    }
  /** Every one of `members` must accept the value. */
  | { readonly kind: "all"; readonly members: readonly TypeModel[] }
  /** Every value that `type` does not accept. */
  | { readonly kind: "not"; readonly type: TypeModel }
  | EntriesModel;

/** Lengths in code points. */
export interface TextBounds {
  readonly minLength?: number;
  readonly maxLength?: number;
  /** A regular expression with the flag `u` that finds a match anywhere in the string. */
  readonly pattern?: string;
}

export interface NumberBounds {
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
}

/** An object, by what holds for all of its members, or for those that a pattern selects. */
export interface EntriesModel {
  readonly kind: "entries";
  /** Types of the members whose names match a regular expression with the flag `u`. */
  readonly patterns: readonly PatternModel[];
  /** Type of the members that neither `listed` nor a pattern names. */
  readonly rest?: TypeModel;
  /** Names to which `rest` does not apply. */
  readonly listed: readonly string[];
  /** Type of all names. */
  readonly names?: TypeModel;
  readonly minProperties?: number;
  readonly maxProperties?: number;
}

export interface PatternModel {
  readonly pattern: string;
  readonly type: TypeModel;
}

/** How to distinguish the alternatives of a union: the first possible way of these. */
export type UnionChoice =
  /** Each alternative requires `member` with different values; `cases[i]` are those of alternative i. */
  | {
      readonly kind: "tag";
      readonly member: string;
      readonly cases: readonly (readonly (string | number | boolean)[])[];
    }
  /** Each alternative has different JSON types. */
  | { readonly kind: "jsonType"; readonly cases: readonly (readonly JsonType[])[] }
  /** Each alternative, except possibly one, requires a member that no other one has. */
  | { readonly kind: "presence"; readonly members: readonly (string | null)[] }
  /** Nothing distinguishes them: the first alternative that accepts the value wins. */
  | { readonly kind: "ordered" };

export type JsonType = "string" | "number" | "boolean" | "null" | "object" | "array";

interface MessageModel {
  readonly method: string;
  /** The type of the whole message. */
  readonly type: string;
  /** The type of its params; absent when the schema allows none. */
  readonly params?: string;
  readonly paramsOptional: boolean;
  /** `client.<path>` or `server.<path>` that must be declared; null when none is needed or stated. */
  readonly capability: string | null;
  readonly link?: string;
  readonly deprecated?: Deprecation;
}

export interface RequestModel extends MessageModel {
  /** The side that sends it; a method that both sides may send has two entries. */
  readonly sender: Side;
  /** Further capabilities that certain params need. */
  readonly conditions: readonly ConditionModel[];
  readonly result: ResultModel;
  /** The result member with the items of a page. */
  readonly pages?: string;
  /** Set for results that may be cached: they carry `ttlMs` and `cacheScope`. */
  readonly cacheable?: true;
  /** Set for a request that opens a stream; the stream begins with this notification. */
  readonly stream?: { readonly acknowledged: string };
  /** The params member by which intermediaries route. */
  readonly routedBy?: string;
  /** Values that receivers use in place of required members that known peers omit. */
  readonly fallbacks?: readonly ResultFallbackModel[];
}

export interface ResultFallbackModel {
  readonly member: string;
  readonly value: string | number | boolean | readonly [];
  /** Whether it replaces a missing member; by default it replaces only null. */
  readonly ifMissing?: true;
  /** Replaces a missing member if this member is present. */
  readonly ifPresent?: string;
  /** Whether it also replaces a value of another type, or a smaller number. */
  readonly ifMistyped?: true;
}

export interface NotificationModel extends MessageModel {
  readonly sender: Side;
}

export interface InputRequestModel extends MessageModel {
  readonly conditions: readonly ConditionModel[];
  /** The type of its result, selected by the method of the request. */
  readonly result: string;
}

export interface ConditionModel {
  readonly member: string;
  readonly values?: readonly string[];
  readonly capability: string;
}

export type ResultModel =
  | { readonly kind: "single"; readonly type: string }
  /** The model's `resultTag` selects the alternative; only those listed are possible for this method. */
  | { readonly kind: "tagged"; readonly type: string; readonly alternatives: readonly string[] }
  /** `alternative` is possible only when the request carries `onlyWith`; the presence of `member` identifies it. */
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
  /** Whether the schema declares the constant; if not, only the overlay lists the code. */
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

export interface AuthorizationValue {
  readonly field: string;
  readonly value: AuthorizationFieldValue;
  readonly link: string;
}
