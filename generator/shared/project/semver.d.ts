/** The functions of semver that are used. */
declare module "semver" {
  interface Semver {
    /** The version in its canonical form; null for a text that is not a version. */
    readonly valid: (version: string) => string | null;
    /** The range in its canonical form; null for a text that is not a range. */
    readonly validRange: (range: string) => string | null;
    /** @throws TypeError for a text that is not a version */
    readonly gt: (version: string, other: string) => boolean;
    readonly satisfies: (version: string, range: string, options: { readonly includePrerelease: boolean }) => boolean;
  }
  const semver: Semver;
  export default semver;
}
