import * as z from "zod/v4";
import {
  BaseRequestParamsSchema,
  PaginatedRequestParamsSchema,
  PaginatedResultSchema,
  ResourceSchema,
  ResultSchema,
} from "../../types/core-schemas.js";

/** The key of the extension in `capabilities.extensions`. */
export const SKILLS_EXTENSION_ID = "io.modelcontextprotocol/skills";
export const SKILLS_LIST_METHOD = "skills/list";
export const SKILLS_GET_METHOD = "skills/get";
/** Needs the setting `directoryRead` of the server. */
export const RESOURCES_DIRECTORY_READ_METHOD = "resources/directory/read";
/** The MIME type of directories. */
export const DIRECTORY_MIME_TYPE = "inode/directory";
/** What every host accepts of one skill. */
export const SKILL_LIMITS: Readonly<{ files: number; bytes: number }> = Object.freeze({
  files: 512,
  bytes: 16 * 1024 * 1024,
});
export const SKILL_DIGEST_PATTERN = /^sha256:[\da-f]{64}$/;

export const SkillDigestSchema = z
  .string()
  .regex(SKILL_DIGEST_PATTERN, 'digest must be "sha256:" followed by 64 lowercase hexadecimal characters');

export const SkillResourceEntrySchema = z.looseObject({
  uri: z.string(),
  digest: SkillDigestSchema,
  size: z.number().int().nonnegative(),
});

export const SkillFrontmatterSchema = z
  .looseObject({ name: z.string(), description: z.string() })
  // zod sets the prototype of an object with this member.
  .refine(
    (frontmatter) => Object.getPrototypeOf(frontmatter) === Object.prototype,
    'frontmatter must not have a "__proto__" field',
  );

/** All files of a skill, or that its content is generated. */
export const SkillResourcesSchema = z.union([z.array(SkillResourceEntrySchema), z.literal("dynamic")]);

export const SkillSchema = z.looseObject({
  uri: z.string(),
  frontmatter: SkillFrontmatterSchema,
  resources: SkillResourcesSchema,
  _meta: z.record(z.string(), z.unknown()).optional(),
});

export const SkillCacheScopeSchema = z.enum(["public", "private"]);

const cacheHints = { ttlMs: z.number().int().nonnegative(), cacheScope: SkillCacheScopeSchema };

export { PaginatedRequestParamsSchema as ListSkillsRequestParamsSchema };

export const ListSkillsResultSchema = z.looseObject({
  ...PaginatedResultSchema.shape,
  skills: z.array(SkillSchema),
  ...cacheHints,
});

export const GetSkillRequestParamsSchema = BaseRequestParamsSchema.extend({ uri: z.string() });

export const GetSkillResultSchema = z.looseObject({ ...ResultSchema.shape, skill: SkillSchema, ...cacheHints });

/** A child of a directory. */
export const DirectoryResourceSchema = z.looseObject(ResourceSchema.shape);

export const ReadResourceDirectoryRequestParamsSchema = PaginatedRequestParamsSchema.extend({ uri: z.string() });

export const ReadResourceDirectoryResultSchema = z.looseObject({
  ...PaginatedResultSchema.shape,
  resources: z.array(DirectoryResourceSchema),
  ...cacheHints,
});

/** What a server declares. */
export const SkillsCapabilitySchema = z.looseObject({ directoryRead: z.boolean().optional() });

export type SkillResourceEntry = z.infer<typeof SkillResourceEntrySchema>;
export type SkillFrontmatter = z.infer<typeof SkillFrontmatterSchema>;
export type SkillResources = z.infer<typeof SkillResourcesSchema>;
export type Skill = z.infer<typeof SkillSchema>;
export type SkillCacheScope = z.infer<typeof SkillCacheScopeSchema>;
export type ListSkillsRequestParams = z.infer<typeof PaginatedRequestParamsSchema>;
export type ListSkillsResult = z.infer<typeof ListSkillsResultSchema>;
export type GetSkillRequestParams = z.infer<typeof GetSkillRequestParamsSchema>;
export type GetSkillResult = z.infer<typeof GetSkillResultSchema>;
export type DirectoryResource = z.infer<typeof DirectoryResourceSchema>;
export type ReadResourceDirectoryRequestParams = z.infer<typeof ReadResourceDirectoryRequestParamsSchema>;
export type ReadResourceDirectoryResult = z.infer<typeof ReadResourceDirectoryResultSchema>;
export type SkillsCapability = z.infer<typeof SkillsCapabilitySchema>;

export interface CapabilitiesWithExtensions {
  extensions?: Record<string, unknown> | undefined;
}

/** Returns what a peer declares for the extension; undefined if it does not, or declares something invalid. */
export function skillsCapabilityOf(capabilities: CapabilitiesWithExtensions | undefined): SkillsCapability | undefined {
  const declared = capabilities?.extensions?.[SKILLS_EXTENSION_ID];
  return declared === undefined ? undefined : SkillsCapabilitySchema.safeParse(declared).data;
}
