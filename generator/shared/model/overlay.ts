/**
 * Facts that only the specification's prose states, as plain data: `overlay.json` beside a `schema.ts`.
 * Files chain through `extends`; `null` withdraws an inherited entry.
 */
export interface OverlayFile {
  /** The older revision whose entries hold until this file changes them. */
  readonly extends?: string;
  /** Root of the specification text; every `spec` is a path below it. */
  readonly specification?: string;
  /** Definitions whose `number` the prose restricts to integers. */
  readonly integers?: Entries<Sourced>;
  /** The declaration whose members every request (or notification) carries in `params`, although some declare `params` without them. */
  readonly commonParams?: Entries<CommonParams, "request" | "notification">;
  /** Declaration or method -> what it is called in generated code, where that would have two things of one name. */
  readonly names?: Entries<NameFact>;
  /** Request type -> result type, where the names do not tell. */
  readonly results?: Entries<ResultLink>;
  /** The member of every result that says which alternative it is. */
  readonly resultTag?: ResultTag | null;
  /** Requests that travel inside results and answers that travel inside requests. */
  readonly inBand?: InBand | null;
  /** By the side that sends: what the prose says of each request and notification. */
  readonly methods?: { readonly client?: Entries<MethodFact>; readonly server?: Entries<MethodFact> };
  /** By the side that declares: dotted paths into its capabilities type. */
  readonly capabilities?: { readonly client?: Entries<Sourced>; readonly server?: Entries<Sourced> };
  /** JSON-RPC error codes by number. */
  readonly errors?: Entries<ErrorFact>;
  /** `Type.member` -> bounds that the prose sets and validators do not enforce on receipt. */
  readonly limits?: Entries<LimitFact>;
  /** `Type.member` -> the value that an absent member stands for. */
  readonly defaults?: Entries<DefaultFact>;
  /** `Type.member` of a result -> what a client takes in its place where servers in the field send null or leave it out. */
  readonly tolerances?: Entries<ToleranceFact>;
  /** Keys of `_meta` that the schema does not declare. */
  readonly metaKeys?: Entries<Sourced>;
  /** Feature -> what is deprecated and what replaces it. */
  readonly deprecated?: Entries<DeprecationFact>;
  /** Behaviour that differs between revisions, by profile field. */
  readonly profile?: Entries<ProfileFact>;
  /** Page of the specification -> definitions it describes; a trailing `*` stands for any ending. */
  readonly sections?: Entries<readonly string[]>;
  /** How messages become those of the revision that the file extends (`down`) and the other way round (`up`). Not inherited. */
  readonly conversions?: { readonly up?: ConversionFacts; readonly down?: ConversionFacts };
}

export type Entries<T, K extends string = string> = Readonly<Partial<Record<K, T | null>>>;

/** Where the specification says it: a path below `specification`, such as `server/tools#calling-tools`. */
export interface Sourced {
  readonly spec: string;
}

export interface CommonParams extends Sourced {
  readonly type: string;
}

export interface NameFact {
  /** Of a declaration: its name, also for the other entries of the overlay. Of a method: its constant in `names.ts`. */
  readonly name: string;
}

export interface ResultLink extends Sourced {
  readonly result: string;
}

export interface ResultTag extends Sourced {
  readonly member: string;
  /** The tag value that stands for a method's own result, also when the member is absent. */
  readonly own: string;
  readonly alternatives: Readonly<Record<string, { readonly type: string; readonly atLeastOneOf: readonly string[] }>>;
}

export interface InBand extends Sourced {
  /** The union of embedded requests, told apart by `method`. */
  readonly requests: string;
  /** The union of their answers, chosen by the method of the question. */
  readonly answers: string;
}

export interface MethodFact extends Sourced {
  /** The member of its result that lists the items of a page, where there are several lists. */
  readonly pages?: string;
  /** `client.<path>` or `server.<path>`: who must have declared what; `null` when nothing is needed. */
  readonly capability: string | null;
  readonly when?: readonly CapabilityCondition[];
  /** Another result type, given only when the request carries this member. */
  readonly alternative?: { readonly type: string; readonly member: string; readonly onlyWith: string };
  /** The request opens a stream that starts with this notification. */
  readonly stream?: { readonly acknowledged: string };
  /** The params member that an intermediary may route by (HTTP header `Mcp-Name`). */
  readonly routedBy?: string;
}

/** A further capability that is needed when a params member is present, or has one of these values. */
export interface CapabilityCondition {
  readonly member: string;
  readonly values?: readonly string[];
  readonly capability: string;
}

export interface ErrorFact extends Sourced {
  /** A constant name; only for codes that the schema does not name. */
  readonly name?: string;
  readonly meaning: string;
  /** HTTP status that the revision fixes for it. */
  readonly httpStatus?: number;
}

export interface LimitFact extends Sourced {
  readonly maxItems?: number;
  readonly maxLength?: number;
  readonly minLength?: number;
}

export interface DefaultFact extends Sourced {
  readonly value: string | number | boolean;
}

/** A deviation from the specification that was met in the field; null is always forgiven. */
export interface ToleranceFact {
  readonly value: string | number | boolean | readonly [];
  /** Also where the member is left out. */
  readonly ifMissing?: true;
  /** Also where it is left out and this member is not. */
  readonly ifPresent?: string;
  /** Also where it is of another type than the value, or less. */
  readonly ifMistyped?: true;
  /** Where it was met: an address. */
  readonly seen: string;
}

export interface DeprecationFact extends Sourced {
  /** The revision that deprecated it. */
  readonly since: string;
  /** No earlier than this date may a revision remove it. */
  readonly removalNotBefore?: string;
  /** One sentence: what to use instead. */
  readonly instead: string;
  /** Definitions or `Type.member`; a trailing `*` stands for any ending. */
  readonly covers: readonly string[];
}

export interface ProfileFact extends Sourced {
  readonly value: string | number | boolean | null;
}

/** By `Type`, `Type.member` or `method`: what to do where the two schemas do not say it. */
export type ConversionFacts = Readonly<Record<string, ConversionFact>>;

/** One of the actions, and what is lost by it. */
export interface ConversionFact extends Sourced {
  /** The value of a member that the other revision requires. */
  readonly fill?: unknown;
  /** The member is left out. */
  readonly drop?: true;
  /** The members of an object in place of one that the other revision does not know, or a string by string. `{name}` in a text stands for a member of the old object. */
  readonly substitute?: Readonly<Record<string, unknown>>;
  /** The type that the substitute is of. */
  readonly as?: string;
  /** A function of `conversions/<its-name>.ts` beside the overlay; or one that comes with the package. */
  readonly function?: string;
  /** There is no such thing in the other revision: what to do instead. */
  readonly unsupported?: string;
  /** The connection fills it in: the rows leave it alone. */
  readonly envelope?: true;
  /** What is lost or made up, in one sentence. */
  readonly loss?: string;
}
