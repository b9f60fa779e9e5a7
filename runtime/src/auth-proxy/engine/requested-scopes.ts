import { errors } from "oidc-provider";
import { standardScopes } from "../proxy-settings.js";

/**
 * The scopes that an authorization request gets: those of the server that it names, or all when it names none (RFC 6749, section 3.3).
 * @throws InvalidScope when the server knows none of them
 */
export function chooseScopes(requested: unknown, known: readonly string[]): string {
  const names =
    typeof requested === "string"
      ? requested.split(" ").filter((name) => name !== "" && !standardScopes.includes(name))
      : [];
  if (names.length === 0) return known.join(" ");
  const chosen = known.filter((name) => names.includes(name));
  if (chosen.length === 0)
    throw new errors.InvalidScope("this server has none of the requested scopes", names.join(" "));
  return chosen.join(" ");
}
