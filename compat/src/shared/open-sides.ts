import type {
  Conversions,
  ParamsDescriptor,
  RequestDescriptor,
  ResultDescriptor,
  Side,
} from "@mcpwright/protocol/contract";
import { conversions as allConversions } from "@mcpwright/protocol/conversions";

type Table<Row> = Record<string, Row>;

/** A side of a revision to which methods of programs are added when they are first named. */
interface OpenSide extends Side {
  readonly receives: Side["receives"] & {
    readonly requests: Table<RequestDescriptor>;
    readonly notifications: Table<ParamsDescriptor>;
    readonly results: Table<ResultDescriptor>;
  };
  readonly sends: { readonly notifications: Table<ParamsDescriptor> };
}

/** Messages of programs are checked with their own schemas. */
const anyParams: RequestDescriptor = { capability: null, params: null, paramsOptional: true };
const anyNotification: ParamsDescriptor = { capability: null, params: () => true, paramsOptional: true };
const anyResult: ResultDescriptor = {
  capability: null,
  result: (value) => typeof value === "object" && value !== null,
};

/**
 * The revisions of one role, as the official SDK has them: programs can handle and send methods that the protocol does not have, and
 * support versions that have the messages of the newest revision with a handshake.
 */
export class OpenSides {
  readonly #sides: readonly OpenSide[];
  readonly #bySelection = new Map<string, readonly Side[]>();
  readonly #known: ReadonlySet<string>;
  readonly #added = new Set<string>();
  /** Versions of programs, which have the messages of this revision. */
  readonly #alias: string;
  readonly #aliases = new Set<string>();

  constructor(sides: readonly Side[]) {
    this.#sides = sides.map(opened);
    this.#alias = this.#sides.find(({ profile }) => profile.opening === "handshake")?.revision ?? "";
    this.#known = new Set(
      sides.flatMap(({ receives, sends }) => [
        ...[receives.requests, receives.notifications, receives.results].flatMap(Object.keys),
        ...Object.keys(sends.notifications),
      ]),
    );
  }

  /** Converts messages for the versions of programs, too. */
  readonly conversions: Conversions = {
    ...allConversions,
    between: (from, to) => allConversions.between(this.#revisionOf(from), this.#revisionOf(to)),
  };

  /**
   * Returns the sides for the option `supportedProtocolVersions`.
   * @param versions default: every revision. Revisions without a handshake are always supported
   */
  select(versions?: readonly string[]): readonly Side[] {
    if (!versions) return this.#sides;
    const key = versions.join();
    const known = this.#bySelection.get(key);
    if (known) return known;
    const [handshake, stateless] = [this.#sides.filter(hasHandshake), this.#sides.filter((one) => !hasHandshake(one))];
    const base = handshake.find(({ revision }) => revision === this.#alias);
    const chosen = [...new Set(versions)].flatMap((version) => {
      const one = this.#sides.find(({ revision }) => revision === version);
      if (one) return hasHandshake(one) ? [one] : [];
      // Versions before the first revision of the specification had other messages.
      if (!base || version < (handshake.at(-1)?.revision ?? "")) return [];
      this.#aliases.add(version);
      return [{ ...base, revision: version }];
    });
    const selected = [...stateless, ...(chosen.length > 0 ? chosen : handshake)];
    this.#bySelection.set(key, selected);
    return selected;
  }

  /** Adds a request that the peer sends, unless the protocol has it. */
  addRequest(method: string): void {
    this.#add("received", method, ({ receives }) => (receives.requests[method] = anyParams));
  }

  /** Adds a request that this side sends. */
  addSentRequest(method: string): void {
    this.#add("sent", method, ({ receives }) => (receives.results[method] = anyResult));
  }

  /** Adds a notification, in both directions. */
  addNotification(method: string): void {
    this.#add("notified", method, ({ receives, sends }) => {
      receives.notifications[method] = anyNotification;
      sends.notifications[method] = anyNotification;
    });
  }

  /** Whether the protocol, or a program, has a method that the peer sends. */
  hasRequest(method: string): boolean {
    return this.#sides.some(({ receives }) => Object.hasOwn(receives.requests, method));
  }

  /** Whether the protocol has a method, in any revision and direction. */
  isKnown(method: string): boolean {
    return this.#known.has(method);
  }

  #add(use: string, method: string, add: (side: OpenSide) => void): void {
    if (this.#known.has(method)) return;
    const key = `${use} ${method}`;
    if (this.#added.has(key)) return;
    this.#added.add(key);
    this.#sides.forEach(add);
  }

  #revisionOf(version: string): string {
    return this.#aliases.has(version) ? this.#alias : version;
  }
}

/**
 * Programs may handle requests of a feature without all of its capabilities, such as subscriptions to resources.
 * @param toNeeded returns the capability that is needed in place of another
 */
export function withNeeds(side: Side, toNeeded: (capability: string) => string | null): Side {
  const requests = Object.entries(side.receives.requests).map(([method, row]): [string, RequestDescriptor] => [
    method,
    { ...row, capability: row.capability === null ? null : toNeeded(row.capability) },
  ]);
  return { ...side, base: side.base ?? side, receives: { ...side.receives, requests: Object.fromEntries(requests) } };
}

function hasHandshake({ profile }: Side): boolean {
  return profile.opening === "handshake";
}

function opened(side: Side): OpenSide {
  const { requests, notifications, results } = side.receives;
  return {
    ...side,
    base: side.base ?? side,
    receives: {
      ...side.receives,
      requests: { ...requests },
      notifications: { ...notifications },
      results: { ...results },
    },
    sends: { notifications: { ...side.sends.notifications } },
  };
}
