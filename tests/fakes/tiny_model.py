"""Random causal model of `transformers` with a tokenizer of characters, for tests of trainers.

Import it where torch and transformers are installed.
"""

from __future__ import annotations

from typing import Any

import tokenizers
import torch
import transformers

TEMPLATE = (
    "{% for m in messages %}<s>{{ m['role'] }} {{ m['content'] }}</s>{% endfor %}"
    "{% if add_generation_prompt %}<s>assistant {% endif %}"
)
ALPHABET = sorted({chr(code) for code in range(32, 127)} | {"\n"})


def tiny_model(layers: int = 1) -> tuple[Any, Any]:
    """Return a model, always the same, and its tokenizer."""
    words = {token: number for number, token in enumerate(["</s>", "<s>", *ALPHABET])}
    raw = tokenizers.Tokenizer(tokenizers.models.BPE(vocab=words, merges=[]))
    raw.decoder = tokenizers.decoders.Fuse()
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=raw, eos_token="</s>", pad_token="</s>")
    tokenizer.chat_template = TEMPLATE
    torch.manual_seed(0)
    config = transformers.LlamaConfig(
        vocab_size=len(words),
        hidden_size=16,
        intermediate_size=16,
        num_hidden_layers=layers,
        num_attention_heads=2,
        eos_token_id=0,
        pad_token_id=0,
        max_position_embeddings=8192,
    )
    return transformers.LlamaForCausalLM(config), tokenizer
