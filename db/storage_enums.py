"""Enumerations of uploads to organizations."""

from db.enums import Described


class StorageUploadKind(Described):
    """What a file is uploaded for."""

    CUSTOMIZATION_FONT = "customization_font", "A font of sites, in WOFF2 or WOFF."
    IMPORT_FILE = "import_file", "The source of an import run."
    ORGANIZATION_LOGO = "organization_logo", "The picture of the organization."
