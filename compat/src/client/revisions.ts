import { clientSides } from "@mcpwright/protocol/client-sides";
import type { Conversions, ResultDescriptor, Side } from "@mcpwright/protocol/contract";
import { OpenSides } from "../shared/open-sides.js";

/** Programs get results in the form of the revision in use. */
export const noConversions: Conversions = { between: () => () => undefined };

let strict: OpenSides | undefined;
let lenient: OpenSides | undefined;

/** @param isStrict whether requests are refused that need a capability which the server has not declared */
export function openSides(isStrict: boolean): OpenSides {
  if (isStrict) return (strict ??= new OpenSides(clientSides.map(withoutUrlCompletion)));
  return (lenient ??= new OpenSides(clientSides.map(withoutUrlCompletion).map(withoutNeeds)));
}

/** The runtime passes the error that lists URLs to visit on, instead of calling the handler of elicitations and waiting. */
function withoutUrlCompletion(side: Side): Side {
  return { ...side, base: side, profile: { ...side.profile, urlCompletion: false } };
}

function withoutNeeds(side: Side): Side {
  const results = Object.entries(side.receives.results).map(([method, row]): [string, ResultDescriptor] => [
    method,
    { ...row, capability: null, conditions: [] },
  ]);
  return { ...side, receives: { ...side.receives, results: Object.fromEntries(results) } };
}

/** Which revisions to offer: those of one era, of both, or a single one. */
export type Offer = "legacy" | "modern" | "auto" | { readonly pin: string };

/**
 * @param supported the versions of the option `supportedProtocolVersions`. If it has none of an era, all of this era are offered.
 * @returns an empty array when there is no such revision
 */
export function offeredSides(
  sides: OpenSides,
  offer: Offer,
  supported: readonly string[] | undefined,
): readonly Side[] {
  const all = sides.select(supported);
  if (typeof offer === "object") return all.filter(({ revision }) => revision === offer.pin);
  const handshake = all.filter(({ profile }) => profile.opening === "handshake");
  if (offer === "legacy") return handshake;
  const stateless = all.filter(({ profile }) => profile.opening === "stateless");
  const named = stateless.filter(({ revision }) => supported?.includes(revision));
  const modern = named.length > 0 ? named : stateless;
  return offer === "modern" ? modern : [...modern, ...handshake];
}
