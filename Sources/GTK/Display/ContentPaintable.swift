import CGTK
import Foundation
import MediaCore

/// The content of a `ContentPaintable`.
@MainActor
package protocol PaintableContent: AnyObject {
    /// The size of the frame, in pixels that are as wide as they are high; zero if there is no frame.
    var intrinsicSize: CGSize { get }
    /// Draws the content into a rectangle of `width` × `height` points.
    func snapshot(_ snapshot: GTKSnapshot, width: Double, height: Double)
}

/// A `GdkPaintable` that draws a Swift object, so that a `GtkPicture` can show a player.
///
/// The class is registered once, with plain C functions of GObject's type system.
@MainActor
package enum ContentPaintable {
    private static let key = g_quark_from_static_string("zoetrope-content")

    /// Creates a paintable that draws `content`. The paintable keeps only a weak reference to `content`.
    package static func make(for content: any PaintableContent) -> GTKReference<GDKPaintable>? {
        guard let object = g_object_new_with_properties(type, 0, nil, nil) else { return nil }
        let box = Unmanaged.passRetained(ContentBox(content)).toOpaque()
        g_object_set_qdata_full(object, key, box) { raw in
            if let raw { Unmanaged<ContentBox>.fromOpaque(raw).release() }
        }
        return GTKReference(adopting: GDKPaintable(OpaquePointer(object)))
    }

    private final class ContentBox {
        weak var content: (any PaintableContent)?
        init(_ content: any PaintableContent) { self.content = content }
    }

    private static func content(_ paintable: OpaquePointer?) -> (any PaintableContent)? {
        guard let paintable, let raw = g_object_get_qdata(UnsafeMutablePointer<GObject>(paintable), key) else {
            return nil
        }
        return Unmanaged<ContentBox>.fromOpaque(raw).takeUnretainedValue().content
    }

    private static let type: GType = {
        var info = GTypeInfo()
        info.class_size = guint16(MemoryLayout<GObjectClass>.size)
        info.instance_size = guint16(MemoryLayout<GObject>.size)
        let fresh = g_type_register_static(FundamentalType.object, "ZoetropePlayerPaintable", &info, GTypeFlags(0))
        var interface = GInterfaceInfo()
        interface.interface_init = { raw, _ in
            guard let raw else { return }
            let methods = raw.assumingMemoryBound(to: GdkPaintableInterface.self)
            // GTK calls these functions on its own thread, which is the main actor's.
            methods.pointee.snapshot = { paintable, snapshot, width, height in
                MainThread.run((paintable, snapshot)) { paintable, snapshot in
                    guard let snapshot else { return }
                    ContentPaintable.content(paintable)?.snapshot(GTKSnapshot(snapshot), width: width, height: height)
                }
            }
            methods.pointee.get_intrinsic_width = { paintable in
                MainThread.run(paintable) { paintable in
                    Int32(saturating: Double(ContentPaintable.content(paintable)?.intrinsicSize.width ?? 0))
                }
            }
            methods.pointee.get_intrinsic_height = { paintable in
                MainThread.run(paintable) { paintable in
                    Int32(saturating: Double(ContentPaintable.content(paintable)?.intrinsicSize.height ?? 0))
                }
            }
            methods.pointee.get_intrinsic_aspect_ratio = { paintable in
                MainThread.run(paintable) { paintable in
                    guard let size = ContentPaintable.content(paintable)?.intrinsicSize, size.height > 0 else {
                        return 0
                    }
                    return size.width / size.height
                }
            }
        }
        g_type_add_interface_static(fresh, gdk_paintable_get_type(), &interface)
        return fresh
    }()
}
