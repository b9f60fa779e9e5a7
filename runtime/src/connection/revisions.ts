import type { Conversions, Extension, Side } from "@mcpwright/protocol/contract";
import { authoringRevision } from "../authoring.js";
import { ErrorCode, SdkError } from "../jsonrpc/errors.js";
import { reportTo } from "./error-reporting.js";

/** The revisions that one side supports, newest first. */
export class Revisions {
  readonly all: readonly Side[];
  readonly ids: readonly string[];
  readonly handshake: readonly Side[];
  readonly stateless: ReadonlyMap<string, Side>;
  /** The error code for an unsupported protocol version. */
  readonly unsupportedVersionCode: number;

  /**
   * @param extensions are laid over the revisions
   * @throws SdkError `INVALID_CONFIGURATION` when there is no revision, one is for the other role or repeated, or an
   *   extension does not fit
   */
  constructor(sides: readonly Side[], role: Side["role"], extensions: readonly Extension[] = []) {
    sides = extensions.reduce((lower, extension) => extension.layerOver(lower, invalidRevisions), sides);
    this.all = [...sides].sort((a, b) => (a.revision < b.revision ? 1 : -1));
    this.ids = this.all.map(({ revision }) => revision);
    const stranger = sides.find((side) => side.role !== role);
    if (stranger) throw invalidRevisions(`${stranger.revision} is a ${stranger.role}Side; pass the ${role}Side`);
    if (sides.length === 0) throw invalidRevisions(`pass at least one ${role}Side of @mcpwright/protocol/<revision>`);
    if (new Set(this.ids).size < sides.length)
      throw invalidRevisions(`${this.ids.join(", ")} has a duplicate; pass each revision once`);
    this.handshake = this.all.filter(({ profile }) => profile.opening === "handshake");
    const stateless = this.all.filter(({ profile }) => profile.opening === "stateless");
    this.stateless = new Map(stateless.map((side) => [side.revision, side]));
    this.unsupportedVersionCode = this.all[0]?.profile.unsupportedVersionCode ?? ErrorCode.InvalidParams;
  }
}

/** Reports the revisions that no steps of the option `conversions` connect with the authoring revision. */
export function warnMissingConversions({ all }: Revisions, options: ConversionsOption): void {
  const others = all.filter(({ revision, role }) => {
    // Results are converted in this direction.
    const [from, to] = role === "server" ? [authoringRevision, revision] : [revision, authoringRevision];
    return from !== to && !options.conversions?.between(from, to);
  });
  if (others.length === 0) return;
  const ids = others.map(({ revision }) => revision).join(", ");
  const remedy = options.conversions ? "add the steps between them to" : "pass";
  reportTo(
    options,
    invalidRevisions(
      `messages of ${ids} are not converted to and from ${authoringRevision}; ${remedy} the option conversions`,
    ),
  );
}

interface ConversionsOption {
  readonly conversions?: Conversions;
  readonly onerror?: (error: Error) => void;
}

function invalidRevisions(problem: string): SdkError {
  return new SdkError("INVALID_CONFIGURATION", `revisions: ${problem}`);
}
