import CGTK
import CX11
