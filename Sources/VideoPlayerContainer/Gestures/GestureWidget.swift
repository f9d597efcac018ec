import Zoetrope

/// The layer on the picture that recognises gestures.
struct GestureWidget: View {
    var body: some View {
        WithService(GestureService.self) { service in
            if service.enabled { Layer(service: service) }
        }
    }
}

private struct Layer: View {
    // Observed here too: of the same service this view would be taken for unchanged when an app's own gesture comes.
    @ObservedObject var service: GestureService
    /// Goes back also where a drag is taken away, which no `onEnded` tells.
    @GestureState private var isDragging = false

    var body: some View {
        Color.clear
            .contentShape(Rectangle())
            // A double tap is no two taps: one waits until it can be none.
            .gesture(service.doubleTapGesture.exclusively(before: service.tapGesture))
            .simultaneousGesture(service.longPressGesture)
            .simultaneousGesture(drag)
            .simultaneousGesture(service.pinchGesture)
            .simultaneousGesture(service.rotationGesture)
            .simultaneousGesture(service.simultaneousTapGesture)
            .simultaneousGesture(service.simultaneousDoubleTapGesture)
            .simultaneousGesture(service.simultaneousLongPressGesture)
            .simultaneousGesture(service.simultaneousDragGesture)
            .simultaneousGesture(service.simultaneousPinchGesture)
            .simultaneousGesture(service.simultaneousRotationGesture)
            .onChange(of: isDragging) { if !isDragging { service.dragStopped() } }
            .onDisappear { service.dragStopped() }
    }

    private var drag: some Gesture { service.dragGesture.updating($isDragging) { _, state, _ in state = true } }
}
