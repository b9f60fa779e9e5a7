/** Returns the `scope` parameter (RFC 6749, section 3.3); no member without scopes. */
export function scopeParameter(scopes: readonly string[] | undefined): { readonly scope?: string } {
  return scopes && scopes.length > 0 ? { scope: scopes.join(" ") } : {};
}
