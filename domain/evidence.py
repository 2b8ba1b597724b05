"""What an operator must supply beside the model, and how."""

from enum import StrEnum


class Evidence(StrEnum):
    """What an operator must supply beside the model before a benchmark can say anything."""

    #: a sample of the training corpus, by ``RunOptions.data_files``
    CORPUS = "corpus"
    #: the provider's detector of its watermark, by ``RunOptions.detector``
    DETECTOR = "detector"
    #: another served model that judges the answers, by ``RunOptions.judge``
    JUDGE = "judge"
    #: the key of canaries that were planted, by ``RunOptions.data_files``
    CANARIES = "key of canaries"

    @property
    def how_to_supply(self) -> str:
        """How it is given, in one sentence."""
        return _HOW_TO_SUPPLY[self]


_HOW_TO_SUPPLY = {
    Evidence.CORPUS: (
        "A sample of the training corpus is read; give one under Supply evidence on the page New evaluation, or with "
        "--data corpus_scan=FILE (.jsonl with a text per line, .txt or .parquet)."
    ),
    Evidence.DETECTOR: (
        "The provider's watermark detector is asked; give its address or the name of its entry point under Supply "
        "evidence on the page New evaluation, or with --detector."
    ),
    Evidence.JUDGE: (
        "Its answers are judged by another served model; choose one under Judge on the page New evaluation, or with "
        "--judge NAME, which `vera judges` lists."
    ),
    Evidence.CANARIES: (
        "Invented people are asked for who were planted where the model learns; `vera canaries make` writes them, and "
        "their key is given under Supply evidence on the page New evaluation, or with --canaries KEYFILE."
    ),
}
