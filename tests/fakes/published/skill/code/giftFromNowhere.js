function giftFromNowhere(bot, item) {
  bot.chat("/give @s " + item);
}
