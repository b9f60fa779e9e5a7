/** Parts of names whose values are secret, in lower case and without separators. */
const secretParts =
  /token|passw(?:or)?d|passphrase|passcode|secret|authorization|apikey|accesskey|privatekey|signingkey|encryptionkey|credential|cookie|bearer|sessionid|connectionstring|cardnumber/;
const secretNames = /^(?:auth|pwd|pass|jwt|otp|pin|cvc|cvv|ssn|sid)$/;
/** Parameters of URLs that are secret beside them: codes of OAuth, signatures of pre-signed URLs. */
const secretParameters = /^(?:code|key|sig|signature|xamzsignature|xgoogsignature)$/;

/** Longer names are not compared; their values count as secret. */
const maxLength = 500;

/** Whether the name of a member says that its value is secret, such as `api_key`, `X-Auth-Token` or `userPassword`. */
export function isSecretName(name: string): boolean {
  if (name.length > maxLength) return true;
  const plain = plainName(name);
  return secretParts.test(plain) || secretNames.test(plain);
}

export function isSecretParameter(name: string): boolean {
  return isSecretName(name) || secretParameters.test(plainName(name));
}

/** A name in lower case, without separators. */
export function plainName(name: string): string {
  return name
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}
