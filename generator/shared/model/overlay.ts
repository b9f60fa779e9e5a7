/**
 * Facts that only the specification's prose states, as plain data: `overlay.json` next to a `schema.ts`.
 * Files form a chain through `extends`; `null` removes an inherited entry.
 */
export interface OverlayFile {
  /** The older revision whose entries apply unless this file changes them. */
  readonly extends?: string;
  /** Root of the specification's text; every `spec`, also of inherited entries, is a path below it. */
  readonly specification?: string;
  /** Definitions whose `number` the prose restricts to integers. */
  readonly integers?: Entries<Sourced>;
  /** The declaration with the members of all `params` of requests (or notifications), which some of them omit. */
  readonly commonParams?: Entries<CommonParams, "request" | "notification">;
  /** Declaration or method -> its name in generated code, where two names would collide. */
  readonly names?: Entries<NameFact>;
  /** Request type -> result type, where the names do not match. */
  readonly results?: Entries<ResultLink>;
  /** The member of every result whose value selects the alternative. */
  readonly resultTag?: ResultTag | null;
  /** Requests that are embedded in results, and their responses, which are embedded in requests. */
  readonly inBand?: InBand | null;
  /** By sender: the facts about each request and notification. */
  readonly methods?: { readonly client?: Entries<MethodFact>; readonly server?: Entries<MethodFact> };
  /** By the side that declares the capability: dotted paths into its capabilities type. */
  readonly capabilities?: { readonly client?: Entries<Sourced>; readonly server?: Entries<Sourced> };
  /** JSON-RPC error codes by number. */
  readonly errors?: Entries<ErrorFact>;
  /** `Type.member` -> bounds that the prose sets and that validators do not enforce on receipt. */
  readonly limits?: Entries<LimitFact>;
  /** `Type.member` -> the value that is meant when the member is absent. */
  readonly defaults?: Entries<DefaultFact>;
  /**
   * `Type.member` of a result -> the value that a client uses instead when a known server sends null or omits the
   * member.
   */
  readonly tolerances?: Entries<ToleranceFact>;
  /** Keys of `_meta` that the schema does not declare. */
  readonly metaKeys?: Entries<Sourced>;
  /** Feature -> its deprecated definitions and their replacement. */
  readonly deprecated?: Entries<DeprecationFact>;
  /** Behaviour that differs between revisions, by profile field. */
  readonly profile?: Entries<ProfileFact>;
  /** How clients find an authorization server and log in to it, by authorization field. */
  readonly authorization?: Entries<AuthorizationFact>;
  /** Page of the specification -> the definitions it describes; a trailing `*` matches any ending. */
  readonly sections?: Entries<readonly string[]>;
  /** How to convert messages to the revision that the file extends (`down`) and from it (`up`). Not inherited. */
  readonly conversions?: { readonly up?: ConversionFacts; readonly down?: ConversionFacts };
}

export type Entries<T, K extends string = string> = Readonly<Partial<Record<K, T | null>>>;

/**
 * Where the specification states it: a path below `specification`, such as `server/tools#calling-tools`, or an address
 * that begins with `https:`.
 */
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
  /** The tag value of a method's own result, which is also meant when the member is absent. */
  readonly own: string;
  readonly alternatives: Readonly<Record<string, { readonly type: string; readonly atLeastOneOf: readonly string[] }>>;
}

export interface InBand extends Sourced {
  /** The union of embedded requests, discriminated by `method`. */
  readonly requests: string;
  /** The union of their results, selected by the method of the request. */
  readonly answers: string;
}

export interface MethodFact extends Sourced {
  /** The member of its result that lists the items of a page, if there are several lists. */
  readonly pages?: string;
  /**
   * `client.<path>` or `server.<path>`: the capability that the named side must have declared; `null` when none is
   * needed.
   */
  readonly capability: string | null;
  readonly when?: readonly CapabilityCondition[];
  /** Another result type, possible only when the request carries the member `onlyWith`. */
  readonly alternative?: { readonly type: string; readonly member: string; readonly onlyWith: string };
  /** Set for a request that opens a stream; the stream starts with this notification. */
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
  /** The HTTP status that the revision specifies for it. */
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

/** A deviation from the specification that known servers have; null is always tolerated. */
export interface ToleranceFact {
  readonly value: string | number | boolean | readonly [];
  /** Whether a missing member is tolerated too. */
  readonly ifMissing?: true;
  /** Tolerates a missing member if this member is present. */
  readonly ifPresent?: string;
  /** Whether a value of another type, or a smaller number, is tolerated too. */
  readonly ifMistyped?: true;
  /** The URL where the deviation is documented. */
  readonly seen: string;
}

export interface DeprecationFact extends Sourced {
  /** The revision that deprecated it. */
  readonly since: string;
  /** The earliest date at which a revision may remove it. */
  readonly removalNotBefore?: string;
  /** The replacement, in one sentence. */
  readonly instead: string;
  /** Definitions or `Type.member`; a trailing `*` matches any ending. */
  readonly covers: readonly string[];
}

export interface ProfileFact extends Sourced {
  readonly value: string | number | boolean | null;
}

export interface AuthorizationFact extends Sourced {
  readonly value: AuthorizationFieldValue;
}

export type AuthorizationFieldValue = boolean | readonly string[] | Readonly<Record<string, string>> | null;

/** By `Type`, `Type.member` or `method`: conversions that cannot be derived from the two schemas. */
export type ConversionFacts = Readonly<Record<string, ConversionFact>>;

/** One action, and the data that it loses. */
export interface ConversionFact extends Sourced {
  /** The value for a member that the other revision requires. */
  readonly fill?: unknown;
  /** Whether `fill` keeps a value that is present although the old type does not list the member. */
  readonly keep?: true;
  /** Whether the member is left out. */
  readonly drop?: true;
  /**
   * The members of an object that replaces one of an unknown type, or a replacement for each unknown string. In
   * strings, `{name}` inserts a member of the old object.
   */
  readonly substitute?: Readonly<Record<string, unknown>>;
  /** The type of the substitute. */
  readonly as?: string;
  /** A function of `conversions/<its-name>.ts` next to the overlay, or one of the package. */
  readonly function?: string;
  /** The other revision has no counterpart: the remedy that errors name. */
  readonly unsupported?: string;
  /** Set for members that the connection fills in: conversions leave them alone. */
  readonly envelope?: true;
  /** The data that is lost or made up, in one sentence. It begins with `Nothing;` if the value is only written in another way. */
  readonly loss?: string;
}
