export * from "../../core/ext/skill-names.js";
export type { InvalidSkillEntry } from "./skill-entries.js";
export { SkillVerificationError } from "./skill-verification-error.js";
export type { SkillVerificationReason } from "./skill-verification-error.js";
export { SkillsClient } from "./skills-client.js";
export type { SkillFile, SkillListing, SkillsClientOptions } from "./skills-client.js";
