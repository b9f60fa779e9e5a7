import type { Principal } from "../transport/principal.js";
import { principalKey } from "./principal-key.js";
import { HttpRejection } from "./rejection.js";

/** Returns the session if its owner sent the request. @throws HttpRejection */
export function assertOwner<Session extends { readonly owner: string | undefined }>(
  session: Session | undefined,
  { principal }: { readonly principal: Principal | undefined },
): Session {
  if (!session || session.owner !== principalKey(principal)) throw new HttpRejection(404, "Session not found");
  return session;
}
