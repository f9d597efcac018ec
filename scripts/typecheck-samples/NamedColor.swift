import Zoetrope

/// Colours and pictures by their names in the app's catalogue are no errors.
struct NamedColor: View {
    @State private var isOn = false
    var body: some View {
        VStack(spacing: 8) {
            Text("Brand").foregroundColor(Color("brand")).padding(4).background(Color("ground"))
            Image("logo").resizable().scaledToFit().frame(width: 40, height: 40)
            if isOn { Text("On").font(.caption).foregroundStyle(Color("accent").opacity(0.5)) } else { Color("ground") }
        }
    }
}
