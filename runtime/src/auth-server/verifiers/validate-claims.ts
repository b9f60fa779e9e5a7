import type { StandardSchema } from "../../schema/standard-schema.js";
import type { TokenFacts } from "../auth-info.js";
import { InvalidTokenError } from "../token-errors.js";

/** The claims without a schema: all members, as they are in the token or in the introspection response. */
export type AnyClaims = Readonly<Record<string, unknown>>;

/** Names of claims that messages may contain; the names in lists of a token are its content. */
const nameSyntax = /^[\w.:/-]{1,64}$/;
const maxNames = 5;

/**
 * Replaces the claims by what a schema makes of them.
 * @throws InvalidTokenError `claims`, with the names of the claims that the schema rejects; the error of a schema that throws
 */
export async function validateClaims<Claims extends object>(
  facts: TokenFacts,
  schema: StandardSchema<unknown, Claims> | undefined,
): Promise<TokenFacts<Claims>> {
  // Without a schema, Claims is AnyClaims.
  if (!schema) return facts as unknown as TokenFacts<Claims>;
  const result = await schema["~standard"].validate(facts.claims);
  if (!result.issues) return { ...facts, claims: result.value };
  const names = result.issues.map(({ path: [first] = [] }) => String(typeof first === "object" ? first.key : first));
  const shown = [...new Set(names)].filter((name) => nameSyntax.test(name) && name !== "undefined").slice(0, maxNames);
  throw new InvalidTokenError(
    "claims",
    `claims of the token are missing or invalid${shown.length > 0 ? `: ${shown.join(", ")}` : ""}`,
  );
}
