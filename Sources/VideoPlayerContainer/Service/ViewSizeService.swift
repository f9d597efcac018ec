import Zoetrope

/// How large the ``PlayerWidget`` is, points; 0 before the first layout. Not observable: a view that follows sizes
/// reads its geometry.
public class ViewSizeService: Service {
    /// Points; 0 before it is shown.
    public private(set) var width: Double = 0
    /// Points; 0 before it is shown.
    public private(set) var height: Double = 0

    func change(to size: CGSize) {
        width = size.width.isFinite ? max(0, size.width) : 0
        height = size.height.isFinite ? max(0, size.height) : 0
    }
}
