import subprocess
import sys

import bukva


def test_import_is_light() -> None:
    code = (
        "import sys, time; start = time.perf_counter(); import bukva; took = time.perf_counter() - start;"
        "heavy = [name for name in ('numpy', 'rich', 'click', 'pyarrow') if name in sys.modules];"
        "assert not heavy, heavy; print(took)"
    )
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True) for _ in range(3)]
    assert all(run.returncode == 0 for run in runs), runs[0].stderr
    assert min(float(run.stdout) for run in runs) <= 0.15


def test_public_names_exist_and_are_documented() -> None:
    assert bukva.__all__ == sorted(bukva.__all__)
    for name in bukva.__all__:
        assert getattr(bukva, name).__doc__, name


def test_training_needs_no_numpy() -> None:
    code = (
        "import sys, bukva; tok = bukva.train_from_iterator(['ab ab'], bukva.BpeTrainer(num_merges=1));"
        "tok.decode(tok.encode('ab')); assert 'numpy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
