"""Declare what the tables of all features have in common."""

from sqlalchemy import BigInteger, Integer, Text
from sqlalchemy.dialects import mysql
from sqlalchemy.orm import DeclarativeBase

#: SQLite counts up only what it calls INTEGER.
ID = BigInteger().with_variant(Integer, 'sqlite')
#: A decision may take more than the 64 KiB of MySQL's TEXT.
BODY = Text().with_variant(mysql.MEDIUMTEXT, 'mysql', 'mariadb')
AT_LETTERS = 32
NAME_LETTERS = 255
ID_LETTERS = 64
UUID_LETTERS = 36
STATE_LETTERS = 16


class Base(DeclarativeBase):
    """Collect the tables of all features."""
