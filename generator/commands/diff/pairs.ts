import type {
  AuthorizationValue,
  CapabilityModel,
  ConditionModel,
  ConstantModel,
  Definition,
  Deprecation,
  ErrorModel,
  LimitModel,
  MemberModel,
  ProfileValue,
  ResultTagModel,
  Side,
  TypeModel,
} from "../../shared/model/protocol.js";

/** Two states of one thing; at least one of them is there. */
export interface Pair<T> {
  readonly at: string;
  readonly senders: readonly Side[];
  readonly before?: T;
  readonly after?: T;
  /** Where each state stands in its schema or overlay. */
  readonly beforeSource?: SourcePath;
  readonly afterSource?: SourcePath;
}

/** A declaration with members inwards, or an entry of the overlay. */
export type SourcePath =
  | { readonly kind: "schema"; readonly path: readonly string[] }
  | { readonly kind: "overlay"; readonly path: readonly string[] };

/** A request, a notification or an embedded request, as one side sends it. */
export interface MethodState {
  readonly kind: "request" | "notification" | "input request";
  readonly method: string;
  readonly sender: Side;
  readonly type: string;
  readonly params?: string;
  readonly paramsOptional: boolean;
  readonly capability: string | null;
  readonly conditions: readonly ConditionModel[];
  /** The type of the answer. */
  readonly result?: string;
  readonly alternatives: readonly string[];
  readonly opensStream: boolean;
  readonly routedBy?: string;
  readonly deprecated?: Deprecation;
  readonly link?: string;
}

export interface MethodPair extends Pair<MethodState> {
  /** Whether the other side may send the method too, before and after. */
  readonly otherSender: { readonly before: boolean; readonly after: boolean };
}

export interface DefinitionPair extends Pair<Definition> {
  /** The name it had before, when it has another one now. */
  readonly formerName?: string;
  readonly isEnvelope: boolean;
  readonly link?: string;
}

export interface MemberPair extends Pair<MemberModel> {
  /** The definition that it is in. */
  readonly owner: string;
  /** Part of the envelope that every message has on the wire, whether its type declares it or not. */
  readonly isEnvelope: boolean;
  /** It is no longer listed, and what is not listed is admitted now. */
  readonly isUnlisted: boolean;
  /** Members of the same object that appear with the same type as this one had. */
  readonly successors: readonly string[];
}

/** Two types at one place that differ, and nothing inside them that could be named instead. */
export interface TypePair extends Pair<TypeModel> {
  readonly before: TypeModel;
  readonly after: TypeModel;
  readonly relation: TypeRelation;
}

export interface Alternative {
  /** As it is printed. */
  readonly type: string;
  /** By which an overlay speaks of it: its name, or what follows the name of the place. */
  readonly key: { readonly name: string } | { readonly step: "" | "[]" };
}

export type TypeRelation =
  | {
      readonly kind: "enum";
      readonly added: readonly string[];
      readonly removed: readonly string[];
      readonly openness: "same" | "opened" | "closed";
    }
  | { readonly kind: "union"; readonly added: readonly Alternative[]; readonly removed: readonly Alternative[] }
  /** A union that only lists messages or results: it follows from the methods. */
  | { readonly kind: "roles"; readonly added: readonly string[]; readonly removed: readonly string[] }
  | { readonly kind: "format" }
  /** Whether what was valid is, and the other way round. */
  | { readonly kind: "values"; readonly widened: boolean; readonly narrowed: boolean };

export interface IndexPair extends Pair<TypeModel> {
  readonly owner: string;
}

export interface CapabilityPair extends Pair<CapabilityModel> {
  readonly side: Side;
}

export interface FactPairs {
  readonly error: Pair<ErrorModel>;
  readonly constant: Pair<ConstantModel>;
  readonly metaKey: Pair<string>;
  readonly limit: Pair<LimitModel>;
  readonly profile: Pair<ProfileValue>;
  readonly authorization: Pair<AuthorizationValue>;
  readonly resultTag: Pair<ResultTagModel>;
  readonly capability: CapabilityPair;
}

/** Everything that rules look at, by kind. */
export interface Pairs extends FactPairs {
  readonly method: MethodPair;
  readonly definition: DefinitionPair;
  readonly member: MemberPair;
  readonly type: TypePair;
  readonly index: IndexPair;
}

export type PairKind = keyof Pairs;

export type PairLists = { readonly [K in PairKind]: readonly Pairs[K][] };
