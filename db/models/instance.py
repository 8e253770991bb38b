"""What belongs to the installation as a whole."""

from sqlalchemy import String
from sqlalchemy.orm import Mapped, mapped_column

from db.base import Base


class InstanceSecret(Base):
    """A secret of this installation (such as the key that signs file URLs), by name."""

    __tablename__ = "instance_secret"
    name: Mapped[str] = mapped_column(String(64), primary_key=True)
    value: Mapped[str]
