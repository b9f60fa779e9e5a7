export { folderSkillFiles } from "./node/folder-skill-files.js";
export { skillFolder } from "./node/skill-folder.js";
