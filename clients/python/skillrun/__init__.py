"""Client of Skillrun, a self-hosted service that runs agents with skills over any media."""

from . import types
from ._async_client import AsyncSkillrun
from ._callbacks import verify_callback
from ._client import Skillrun
from ._errors import ExecutionNotCompleted, FailureDetail, SkillrunError

__all__ = [
    "AsyncSkillrun",
    "ExecutionNotCompleted",
    "FailureDetail",
    "Skillrun",
    "SkillrunError",
    "types",
    "verify_callback",
]
__version__ = "0.1.0"
