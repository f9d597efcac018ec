import Zoetrope

struct ToastWidget: View {
    var body: some View {
        WithService(ToastService.self) { service in
            VStack(alignment: .leading, spacing: service.lineSpacing) {
                if let content = service.content {
                    ForEach(service.toasts) { toast in
                        content(toast.object)
                            .transition(
                                .asymmetric(
                                    insertion: .move(edge: .leading).combined(with: .opacity), removal: .opacity))
                    }
                }
            }
            .padding(service.insets)
            .frame(maxWidth: .infinity, maxHeight: .infinity, alignment: .bottomLeading)
        }
    }
}
