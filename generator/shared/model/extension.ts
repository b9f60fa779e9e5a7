import type { ConstantModel, Definition, NotificationModel, RequestModel, ResultTagModel, Side } from "./protocol.js";
import type { CommonParams, NameFact, Sourced } from "./overlay.js";

/** Facts about an extension that its schema does not state, as plain data: `overlay.json` next to its `schema.ts`. */
export interface ExtensionOverlayFile {
  /** The key in `capabilities.extensions` of both sides: `prefix/name`. */
  readonly id: string;
  /** The name of its folder and entry, in kebab case. Default: the part of the id after the slash. */
  readonly name?: string;
  /** Texts that identify a schema of the extension which does not contain the id; only for overlays of the package. */
  readonly recognizedBy?: readonly string[];
  /** The revisions that the extension can be laid over. Its types refer to those of the last one, unless the user names another. */
  readonly over: readonly string[];
  /** Root of the extension's specification; each `spec` is appended to it. Default: none, for a `spec` that is an address. */
  readonly specification?: string;
  /** Whether the specification publishes a schema file to which ours is pinned. Default: true. */
  readonly schemaPublished?: boolean;
  /** The only side that declares the extension, so that its peers need not. Default: both sides declare it. */
  readonly declaredBy?: Side;
  /** Declaration -> its name in generated code, also for the rest of the overlay, where the revision has one of that name. */
  readonly names?: Readonly<Record<string, NameFact>>;
  /** The types of the settings that each side declares. Default: an object without members. */
  readonly settings?: { readonly client?: string; readonly server?: string };
  /** Types of the revision that the params of every request or notification must also fit, such as `RequestParams`. */
  readonly commonParams?: { readonly request?: string; readonly notification?: string };
  /** By sender: the requests that the extension adds. */
  readonly requests?: { readonly client?: RequestFacts; readonly server?: RequestFacts };
  /** By sender: the notifications that the extension adds. */
  readonly notifications?: { readonly client?: NotificationFacts; readonly server?: NotificationFacts };
  /** Method of the revision -> value of the result tag -> the result that the extension adds. */
  readonly results?: Readonly<Record<string, Readonly<Record<string, AddedResult>>>>;
  /** Members that the extension adds to the filter of a request that opens a stream. */
  readonly filters?: Readonly<Record<string, FilterFact>>;
  /** Keys of `_meta` that the extension defines. */
  readonly metaKeys?: Readonly<Record<string, Partial<Sourced>>>;
  /**
   * The names of the extension's own two roles, where its messages are not those between client and server. `client` is the
   * role that opens the connection.
   */
  readonly roles?: { readonly client: string; readonly server: string };
}

type RequestFacts = Readonly<Record<string, AddedRequest>>;
type NotificationFacts = Readonly<Record<string, AddedMessage>>;

export interface AddedMessage extends Partial<Sourced> {
  /** The type of the whole message. */
  readonly type: string;
}

export interface AddedRequest extends AddedMessage {
  /** The type of the result. Default: `FooResult` for `FooRequest`. */
  readonly result?: string;
  /** The params member that intermediaries use for routing. */
  readonly routedBy?: string;
  /** The setting that a side must declare as true to receive the request. */
  readonly setting?: string;
}

export interface AddedResult extends Partial<Sourced> {
  readonly type: string;
  /** At least one of these members must be present. Default: none. */
  readonly atLeastOneOf?: readonly string[];
}

export interface FilterFact extends Partial<Sourced> {
  /** The request of the revision that opens the stream. */
  readonly request: string;
  /** The type that declares the member. */
  readonly type: string;
  /** The notification that the member selects. */
  readonly notification: string;
  /** The params member of the notification that is compared with the values in the filter. */
  readonly key: string;
}

/** The model of an extension, laid over one revision. Published as `model.json`. */
export interface ExtensionModel {
  readonly format: 1;
  readonly extension: string;
  /** The name of its folder, and of its entry. */
  readonly name: string;
  /** The revision whose types it refers to. */
  readonly base: string;
  /** The revisions that it can be laid over. */
  readonly revisions: readonly string[];
  readonly specification: string;
  readonly constants: readonly ConstantModel[];
  /** The types that the extension declares. */
  readonly definitions: readonly Definition[];
  /** The names of the revision's types that they refer to. */
  readonly imports: readonly string[];
  readonly requests: readonly RequestModel[];
  /** The settings that requests need: method -> name of the setting that their receiver declares as true. */
  readonly neededSettings?: Readonly<Record<string, string>>;
  readonly notifications: readonly NotificationModel[];
  readonly results: readonly AddedResultModel[];
  readonly filters: readonly FilterModel[];
  readonly settings: Readonly<Record<Side, string | null>>;
  /** The only side that declares the extension; absent when both do. */
  readonly declaredBy?: Side;
  readonly commonParams: { readonly request?: CommonParams["type"]; readonly notification?: CommonParams["type"] };
  readonly metaKeys: readonly string[];
  /** The names of the extension's own roles; absent when its messages are those between client and server. */
  readonly roles?: Readonly<Record<Side, string>>;
  /** The member of results whose value selects the alternative, as in the revision. */
  readonly resultTag?: ResultTagModel;
}

export interface AddedResultModel {
  readonly method: string;
  readonly tag: string;
  readonly type: string;
  readonly atLeastOneOf: readonly string[];
  readonly link?: string;
}

export interface FilterModel extends Omit<FilterFact, "spec"> {
  readonly member: string;
  /** The params member of the request that contains the filter. */
  readonly within: string;
  readonly link?: string;
}

/** An extension together with the types of the revision that it refers to. */
export interface LayeredExtension {
  readonly model: ExtensionModel;
  /** The types of the revision to which the extension's own types lead. */
  readonly baseDefinitions: readonly Definition[];
}
