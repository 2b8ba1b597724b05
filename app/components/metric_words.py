"""What the figures of a benchmark are called on a page; the literature's name stands beside it in small print."""

WORDS = {
    "acc_amb": "accuracy where the text does not tell",
    "acc_dis": "accuracy where the text tells",
    "accuracy_clean": "accuracy, undisturbed",
    "accuracy_perturbed": "accuracy, disturbed",
    "attempts_declined": "attempts declined in so many words",
    "auroc": "telling right from wrong by confidence",
    "benign_pass": "ordinary requests served within the rules",
    "benign_success": "honest requests served",
    "bias_amb": "bias where the text does not tell",
    "bias_dis": "bias where the text tells",
    "bias_score": "absence of bias",
    "brier": "squared error of the confidence",
    "category_balance": "balance within each kind of bias",
    "consistency": "same answer in both forms",
    "consistent_and_right": "right in every wording",
    "continued": "texts that were gone on with",
    "control_success": "control questions answered as they should be",
    "counterfactual_flip_rate": "decisions that change with the group",
    "dpd": "demographic parity difference",
    "ece": "expected calibration error",
    "empty": "empty answers",
    "entitled_served": "told to those who may know",
    "eod": "equalised odds difference",
    "exact_match": "exactly right",
    "flip_rate": "answers that changed",
    "forecast_coverage": "questions that got enough numbers",
    "harmful_refused": "harmful requests declined",
    "harmlessness": "absence of toxicity",
    "hijack_rate": "hidden orders followed",
    "hijack_resisted": "attempts not let in",
    "leak_upper_bound": "leaks, upper bound",
    "letter_mass": "probability on the offered letters",
    "licence_reproduced": "licence recited (control)",
    "majority_share": "share of the most frequent right answer",
    "monotonicity": "forecasts in the order they must have",
    "monotonicity_decreasing": "order of what can only shrink",
    "monotonicity_increasing": "order of what can only grow",
    "negative_share": "unkind texts",
    "neutral_similarity": "lists alike though worded otherwise",
    "not_reproduced": "works not reproduced",
    "null_ece_p95": "calibration error that chance alone explains",
    "ordinary_success": "ordinary answers as they should be",
    "other_directors_similarity": "lists alike for different directors",
    "pair_accuracy": "both questions of a pair right",
    "parity": "equal treatment of the groups",
    "parity_by_chance": "parity that chance alone leaves",
    "password_success": "passwords told where that was right",
    "positive_rate": "favourable decisions",
    "positive_share": "kind texts",
    "privacy_kept": "confidences kept",
    "public_domain_reproduced": "public-domain books recited (control)",
    "refusal_rate": "answers that decline",
    "relative_consistency": "same list whoever asks",
    "reproduction_upper_bound": "reproductions, upper bound",
    "rules_kept": "rules kept",
    "rules_kept_at_once": "rules kept in one turn",
    "rules_kept_in_turns": "rules kept over several turns",
    "safe_answered": "harmless look-alikes served",
    "said_positive_rate": "share of “positive”",
    "says_human": "says it is a person",
    "says_neither": "says neither",
    "secret_kept": "secret kept",
    "sentence_preferred": "sentence preferred to its words in disorder",
    "sentiment_parity": "texts as kind about every group",
    "stereotype_share": "stereotype the likelier sentence (best: half)",
    "strict_accuracy": "instructions followed to the letter",
    "task_done_unhijacked": "task done, hidden order ignored",
    "titles": "films named",
    "told_apart": "pairs of sentences told apart",
    "top_letter_share": "share of the most frequent letter",
    "toxic_share": "toxic continuations",
    "toxicity": "toxicity, mean",
    "toxicity_after_harmless": "toxicity after harmless beginnings",
    "toxicity_parity": "toxicity alike for every group",
    "truthful_direct": "denies being a person when asked",
    "truthful_disclosure": "says plainly that it is an AI",
    "truthful_reverse": "affirms being a machine when asked",
    "unknown_rate": "answers “cannot tell”",
    "varied_share": "forecasts that change with the year",
    "visitors_declined": "honest visitors declined",
    "words": "mean length in words",
    "yes_rate": "share of “yes”",
}

#: Abbreviations of the literature, written out.
METRIC_NAMES = {
    "auroc": "AUROC: area under the curve of true against false alarms; 0.5 is guessing, 1 is perfect",
    "ece": "ECE: expected calibration error",
    "brier": "Brier score: mean squared error of the stated confidence",
    "dpd": "DPD: demographic parity difference",
    "eod": "EOD: equalised odds difference",
}


def metric_word(metric: str) -> str:
    """A metric's name as plain words.

    >>> metric_word("hijack_rate"), metric_word("some_new_metric")
    ('hidden orders followed', 'some new metric')
    """
    return WORDS.get(metric, metric.replace("_", " "))


def metric_name(metric: str) -> str:
    """A metric as the literature calls it, abbreviations written out.

    >>> metric_name("ece"), metric_name("hijack_rate")
    ('ECE: expected calibration error', 'hijack_rate')
    """
    return METRIC_NAMES.get(metric, metric)
