import Zoetrope

/// The size of the ``PlayerWidget``, in points.
///
/// The size is not observable. A view whose content depends on the size uses a `GeometryReader` instead.
public class ViewSizeService: Service {
    /// The width, in points; 0 before the first layout.
    public private(set) var width: Double = 0
    /// The height, in points; 0 before the first layout.
    public private(set) var height: Double = 0

    func change(to size: CGSize) {
        width = size.width.isFinite ? max(0, size.width) : 0
        height = size.height.isFinite ? max(0, size.height) : 0
    }
}
