// GIO without GTK: whether the network costs by the byte.
#include <gio/gio.h>
