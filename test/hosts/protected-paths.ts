/** The path of the server that accepts access tokens only. */
export const protectedPath = "/protected";

/** The path at which its issuer issues tokens. */
export const tokenPath = "/token";

/** What its tokens and the proofs of their keys are for: its public URL, as if all hosts had the same. */
export const resource = `https://hosts.example${protectedPath}`;
