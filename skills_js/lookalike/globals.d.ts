/** Names that policies and primitives find in scope inside their isolate, for the type checker. */
/** The bot look-alike; its members are listed in skills_js/lookalike/bot.js. */
type Bot = any
/** Of skills_js/lookalike/block.js. */
type Block = any
/** Of skills_js/lookalike/entity.js. */
type Entity = any
declare const bot: any
declare const mcData: any
declare const Vec3: any
declare const goals: any
