/** Names that policies and primitives find in scope inside their isolate, for the type checker. */
/** The bot facade; its members are listed in skills_js/bot_facade/bot.js. */
type Bot = any
/** Block of skills_js/bot_facade/block.js. */
type Block = any
/** Entity of skills_js/bot_facade/entity.js. */
type Entity = any
declare const bot: any
declare const mcData: any
declare const Vec3: any
declare const goals: any
